"""Write a system and a method as one C99 source file with its header."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jax
import numpy as np

from ..compile.ir.tape import Unsupported
from ..errors import UsageError
from ..files import PathLike, check_writable, replacing
from ..hybrid import Modes
from ..hybrid.rough_modes import RoughModes
from ..inputs import Constant, driven
from ..methods import Method, default
from ..request.prepare import prepare
from ..system import System
from .c_source import Source
from .friction_c import FrictionSource
from .friction_model import friction_model_of
from .hybrid_c import HybridSource
from .hybrid_model import hybrid_model_of, refuse_options
from .model import model_of


@dataclasses.dataclass(frozen=True)
class CFiles:
    """The files that `export.c` wrote, the prefix of all names in them, and operation counts."""

    source: Path
    header: Path
    prefix: str
    operations: dict[str, int]  # by function; the body of a loop counts once

    def __str__(self) -> str:
        counts = ", ".join(f"{name} {n}" for name, n in self.operations.items())
        return f"{self.source.name} and {self.header.name} ({self.prefix}_*; operations: {counts})"


def c(
    system: System | Modes,
    method: Method | Mapping[str, Method] | None = None,
    path: PathLike | None = None,
    h: float | None = None,
    *,
    name: str | None = None,
    single: bool = False,
    jacobians: bool = False,
    main: int = 0,
    q0: Any = None,
    v0: Any = None,
    mode: str | None = None,
    names: Mapping[str, str] | None = None,
) -> CFiles:
    """Write a step and the dynamics of a system as self-contained C99: FILE.c and FILE.h.

        da.export.c(sleigh, da.RK4(), "sleigh.c", h=0.01, main=1000)
        cc -O3 -DCHAPLYGIN_SLEIGH_MAIN sleigh.c -lm -o sleigh && ./sleigh > rows.csv

    The code has no global state, allocates nothing, and calls only the mathematical functions of
    C. Parameters and inputs are structs with named members. NAME_start makes a state from
    (t, q, v). NAME_step advances it by h with constant inputs, NAME_steps by several steps.
    NAME_dynamics computes rates, multipliers and energy. All return 0 or an error code declared in
    the header; a step that fails leaves the state unchanged. The results agree with those of
    `da.Stepper` up to round-off.

    Args:
        system: the system to export. If its inputs are not driven by a control, they are arguments
            of the step. Of a hybrid system (`hybrid.Modes` with declared transitions, or contacts
            of `hybrid.with_friction`) NAME_step continues to the next node of the grid through all
            jumps before it; the state has the mode and the last jumps.
        method: a method with fixed steps, or of a hybrid system one for each mode; by default that
            of `simulate`.
        path: the source file, FILE.c; the header is written beside it. By default it is named
            after the system.
        h: the step size; if None, the step size is an argument of NAME_step.
        name: prefix of all functions and types; by default the system's name as a C identifier.
        single: use float instead of double. Tolerances are then those of float.
        jacobians: also write NAME_jacobian, the derivatives of the acceleration by q, v and u.
        main: if positive, also write a `main`, under `#ifdef NAME_MAIN`, that makes this many
            steps and prints the trajectory from (q0, v0), by default `system.initial()`; needs h.
        mode: for a hybrid system, the mode in which the trajectory of `main` starts.
        names: C identifiers for labels that are not identifiers, such as
            {"angle of the wheel": "angle"}.
    """
    if main and h is None:
        raise UsageError("main= needs the step size: give h as well")
    if isinstance(main, bool) or not isinstance(main, int) or not 0 <= main < 2**31:
        raise UsageError(f"main is the number of steps that it makes, below 2^31, got {main!r}")
    for word, flag in (("single", single), ("jacobians", jacobians)):
        if not isinstance(flag, bool):
            raise UsageError(f"{word} is True or False, got {flag!r}")
    of_modes = mode is not None and isinstance(system, Modes)
    if not main and (q0 is not None or v0 is not None or of_modes):
        raise UsageError(
            "q0, v0 and mode are the start of a main: give main=STEPS as well",
            advice="NAME_start takes any start",
        )
    target = None if path is None else check_writable(path, (".c",))
    started = None
    if isinstance(system, RoughModes):
        refuse_options(single, jacobians)
        made = friction_model_of(system, method, h, name, names)
        if main:
            _, q, v = system.started(mode, q0, v0, 0.0)
            started = (0, *start_data(system.rough, q, v))
        source = FrictionSource(made)
    elif isinstance(system, Modes):
        made = hybrid_model_of(system, method, h, name, names, jacobians, single)
        if main:
            started = hybrid_start(system, mode, q0, v0)
        source = HybridSource(made)
    else:
        if mode is not None:
            raise UsageError(
                "mode= is the start mode of a hybrid system; this system is not hybrid"
            )
        chosen = one_method(method)
        model = model_of(system, chosen, h, name, names, jacobians, single)
        if main:
            started = start_data(system, q0, v0)
            inputs = Constant(np.zeros(len(model.inputs)))
            still = driven(system, inputs) if model.inputs else system
            q, v = system.initial() if q0 is None else (q0, v0)
            # raises if (q, v) is off the constraint
            prepare(still, chosen, q, v, None, h, 0.0, project=False)
        source = Source(model, single)
    target = check_writable(f"{source.prefix}.c", (".c",)) if target is None else target
    header = check_writable(target.with_suffix(".h"), (".h",))
    with saying_why(source.title()):
        text = source.text(header.name, main, started)
    texts = {target: text, header: source.header(header.name)}
    for place, text in texts.items():
        with replacing(place) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return CFiles(target, header, source.prefix, dict(source.operations))


@contextlib.contextmanager
def saying_why(title: str) -> Iterator[None]:
    """Turn `Unsupported`, raised where C has no equivalent, into a `UsageError`."""
    try:
        yield
    except Unsupported as error:
        raise UsageError(f"it cannot be written as C: {error}", about=title) from error


def one_method(method: Method | Mapping[str, Method] | None) -> Method:
    """Return the method to export (by default that of `simulate`); refuse a table by mode."""
    if isinstance(method, Mapping):
        raise UsageError("a method for each mode is for hybrid systems: give one method")
    return default() if method is None else method


def start_data(system: System, q0: Any, v0: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return (q, v) as flat arrays: those given, or `system.initial()`."""
    if (q0 is None) != (v0 is None):
        raise UsageError("give both q0 and v0, or neither to start from system.initial()")
    q, v = system.initial() if q0 is None else (q0, v0)
    q = system.groupoid.base.check(q, "q0")
    flat = [np.ravel(np.asarray(x, float)) for x in jax.tree.leaves(q)]
    try:
        v = np.asarray(v, float)
    except (TypeError, ValueError):
        raise UsageError(f"v0 must be {system.dim} numbers, got {v0!r}") from None
    if v.shape != (system.dim,) or not np.all(np.isfinite(v)):
        raise UsageError(f"v0 must be {system.dim} finite numbers, got {v0!r}")
    return np.concatenate([np.zeros(0), *flat]), v


def hybrid_start(
    modes: Modes, mode: str | None, q0: Any, v0: Any
) -> tuple[int, np.ndarray, np.ndarray]:
    """Return (index of the mode, q, v) as flat arrays: those given, or `modes.start`."""
    name, q, v = modes.started(mode, q0, v0, 0.0)
    system = modes.system(name)
    return (modes.names.index(name), *start_data(system, q, v))
