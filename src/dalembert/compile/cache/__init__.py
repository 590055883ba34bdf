"""What compiled code is cached under: keys of Python code, and the caches themselves."""
