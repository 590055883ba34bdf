"""What advances a state by compiled code: fixed steps, members, Taylor's method, inside of JAX.

A program makes steps and rows. It neither records them nor decides when a run is over.
"""
