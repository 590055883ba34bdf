"""Cache keys of compiled code, from the Python code it was made of, and the caches themselves."""
