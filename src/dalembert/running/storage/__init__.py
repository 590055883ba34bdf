"""Runs on disk: the store of one run, the slices of an ensemble, and who computes them."""
