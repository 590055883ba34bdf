"""Symbolic equations of a system: as SymPy expressions, as LaTeX and as Python code.

found = da.formulas(da.systems.ChaplyginSleigh())
print(found)                     # a page to read
found.reduced.sympy()            # equations of SymPy
found.latex()                    # for a paper
found.python()                   # a module with M, f, A and the acceleration
"""

from ..doors import guard as _guard
from .formulas import Formula, Formulas, formulas

__all__ = ["Formula", "Formulas", "formulas"]

_guard(globals())
