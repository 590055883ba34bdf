"""Machine code for a CPU: the text of a tape for LLVM, loops over steps, kernels to be called."""
