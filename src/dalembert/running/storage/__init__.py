"""Runs on disk: the store of one run, the slices of an ensemble, and who computes them.

What files hold and how they are read is in `dalembert.results`.
"""
