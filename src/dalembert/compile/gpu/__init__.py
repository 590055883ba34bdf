"""The loop over steps for an NVIDIA GPU, and steps that it makes speculatively."""
