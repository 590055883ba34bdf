"""Events: zeros of functions g(t, q, v) that are found while a run goes on, and may end it.

`event` says what an event is and records those of a run; `detect_rows` finds them between rows,
`detect_polynomials` in the polynomials of Taylor's method; `locate` says where exactly, and holds
the root finders. Runs, sections and hybrid guards use these. The steps are made by the programs,
which this package does not know.
"""

from .detect_polynomials import MemberBuffers, PolynomialBuffer
from .detect_rows import EndedMembers, EventDetector, Roots, crossed, detector_for
from .event import ENDED, Event, EventFunction, EventWatch, check_watched, named_events
from .locate import Locator, Outcome, arrival, bracketed_root

__all__ = [
    "ENDED",
    "EndedMembers",
    "Event",
    "EventDetector",
    "EventFunction",
    "Locator",
    "MemberBuffers",
    "Outcome",
    "PolynomialBuffer",
    "Roots",
    "EventWatch",
    "arrival",
    "bracketed_root",
    "check_watched",
    "crossed",
    "detector_for",
    "named_events",
]
