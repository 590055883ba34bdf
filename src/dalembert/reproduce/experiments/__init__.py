"""reproduce/experiments."""
