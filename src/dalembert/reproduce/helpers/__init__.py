"""Code that several experiments share: parts of figures, and solvers to compare with.

No experiment is here, and `reproduce.experiments` imports from here, not the other way round.
"""
