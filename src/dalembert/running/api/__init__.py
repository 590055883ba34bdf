"""What a user calls: one run, many runs, and going on with either.

Arguments are checked and put together here; the loops are in `single_run` and `ensemble_run`.
"""
