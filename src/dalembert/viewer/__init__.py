"""Show runs on one HTML page: a moving picture, and curves in step with it.

    da.show(system, traj)                      in a notebook, or in the browser
    da.show(system, traj, other).save("x.html")

The front end is `viewer.js`, built from the folder `viewer/` of the repository. The page needs no
network.
"""

from ..doors import guard as _guard
from .encode import FORMAT, MOST_ROWS, Run, encode
from .film import SUFFIXES, write_film
from .page import frame, page
from .show import View, open_page, show

__all__ = [
    "FORMAT",
    "MOST_ROWS",
    "Run",
    "SUFFIXES",
    "View",
    "encode",
    "frame",
    "open_page",
    "page",
    "show",
    "write_film",
]

_guard(globals())
