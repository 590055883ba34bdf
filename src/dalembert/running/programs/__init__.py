"""Programs: compiled code that advances a state.

There is one for fixed steps, one for ensembles, one for Taylor's method and one for runs inside a
JAX transformation. A program makes steps and rows. It does not record them.
"""
