"""How a step becomes fast code.

`layout` puts a tree of numbers into one vector, `ir` records a function number by number on a tape,
`cpu`, `gpu` and `taylor` make machine code of tapes, `xla` compiles functions of arrays, `function`
evaluates any function at rows of numbers, `engine` chooses; `cache` has the keys of compiled code.
"""
