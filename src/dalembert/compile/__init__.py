"""Compile steps and other functions of mechanical systems to fast code.

`layout` packs a tree of arrays into one vector. `ir` records a function as scalar operations on a
tape. `cpu`, `gpu` and `taylor` turn tapes into machine code, and `xla` compiles functions of
arrays. `function` evaluates any function, at one point or many. `engine` chooses between native
code, GPU kernels and XLA. `cache` computes the cache keys of compiled code.
"""
