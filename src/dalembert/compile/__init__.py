"""How a step becomes fast code.

`layout` puts a tree of numbers into one vector, `lanes` and `scalarize` evaluate a step number by
number, `engine` has it compiled, `fingerprint` tells whether code has changed.
"""
