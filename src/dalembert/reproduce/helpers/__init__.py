"""What several experiments share, each a part of a figure or a solver to compare with.

No experiment lives here, and `reproduce.experiments` imports from here, not the other way round.
"""
