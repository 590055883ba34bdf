"""Formulas of a system: its equations as SymPy, as LaTeX and as code of Python.

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
