"""Entry points for users: one run, an ensemble, `Stepper`, and resuming a run.

Arguments are checked and assembled here; the loops are in `single_run` and `ensemble_run`.
"""
