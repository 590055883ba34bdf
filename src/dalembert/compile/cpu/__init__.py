"""Machine code for a CPU: LLVM text of a tape, loops over steps, and callable kernels."""
