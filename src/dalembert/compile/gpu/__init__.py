"""The loop over steps for an NVIDIA GPU, and its speculative steps."""
