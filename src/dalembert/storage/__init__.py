"""Runs on disk: the store of one run, the slices of an ensemble, and their executors.

File formats and reading are in `dalembert.results`.
"""
