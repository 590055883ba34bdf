"""Events: zeros of functions g(t, q, v), found during a run; an event may end the run.

`event` defines an event and records those of a run. `detect_rows` finds events between rows,
`detect_polynomials` in the polynomials of Taylor's method. `locate` has the root finders, which
compute the exact time. Runs, sections and hybrid guards use this package. It does not depend on
the programs, which make the steps.
"""

from .detect_polynomials import PolynomialBuffer, PolynomialSteps
from .detect_rows import EndedMembers, EventDetector, Roots, crossed, detector_for
from .event import ENDED, Event, EventFunction, EventWatch, check_watched, named_events
from .locate import Descent, Locator, arrival, bracketed_root, mixed

__all__ = [
    "ENDED",
    "EndedMembers",
    "Event",
    "EventDetector",
    "EventFunction",
    "Locator",
    "Descent",
    "PolynomialBuffer",
    "Roots",
    "PolynomialSteps",
    "EventWatch",
    "arrival",
    "bracketed_root",
    "check_watched",
    "crossed",
    "detector_for",
    "mixed",
    "named_events",
]
