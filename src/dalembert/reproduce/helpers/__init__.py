"""reproduce/helpers."""
