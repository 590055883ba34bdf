"""There and back: whether a method is reversible, with all that it carries."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ...errors import SimulationError
from ...linalg import MESSAGES, OK
from ...methods import Method
from ...system import Point, System
from ..driver import Pace, drive
from ..programs.fixed_step import FixedStepProgram
from ..request.prepare import prepare
from ..request.validate import check_count


def there_and_back(
    system: System, method: Method, q0: Point, v0: Any, *, h: float, steps: int
) -> tuple[Point, jax.Array]:
    """Run forward, reverse the method's own state, run as long again: (q, -v) at the end.

    A reversible method comes back to (q0, v0). A new start from the reversed velocity would not
    show that: it would also change what the method carries beside q and v.
    """
    steps = check_count("steps", steps)
    prepared = prepare(system, method, q0, v0, None, h, 0.0, True)
    program = FixedStepProgram(prepared, steps, steps, 2)
    for way in ("there", "back"):
        drive(program, lambda rows: None, Pace(steps))
        state = program.state
        if (code := int(state.row.result)) != OK:
            raise SimulationError(
                f"{method.name} on {system.name()}: {MESSAGES[code]} on the way {way}, at step "
                f"{int(state.k)}",
                step=int(state.k),
            )
        back = method.reverse(state.carry, state.row)
        program.set_state(state._replace(k=np.asarray(0), carry=back))
    return state.row.q, -state.row.v
