"""Sampled Python controllers: when they are called, and from which step each input acts."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from ..errors import UsageError
from ..inputs import Sampled
from ..methods import Method
from ..names import vector
from ..results import HeldInputs
from ..system import System
from .step import has_any_times, has_own_steps, time_at


class Sampling:
    """Calls the controller of one run at its samples; the run queries it before each piece."""

    def __init__(
        self, sampled: Sampled, system: System, h: float, t0: float, members: int | None = None
    ) -> None:
        self._controller, self._system, self.members = sampled.controller, system, members
        self._h, self._t0 = float(h), float(t0)
        self._every = max(_steps("every", sampled.every, h), 1)
        self._delay = _steps("delay", sampled.delay, h)
        self.count = len(system.input_labels)
        shape = (self.count,) if members is None else (members, self.count)
        self._sampled = -1  # step of the last sample
        self.lost = ""  # what the controller gave that is not finite, and when
        self._coming: deque[tuple[int, np.ndarray]] = deque()
        # zero input until the first one arrives, which is after the start if there is a delay
        self._history = [(0, np.zeros(shape))]

    def before(self, k: int, t: float, q: Any, v: Any) -> np.ndarray:
        """Return the input that acts from step k on; call the controller if a sample is due."""
        if k % self._every == 0 and self._sampled != k:
            self._sampled = k
            u = self._asked(t, q, v)
            if not np.all(np.isfinite(u)):
                text = f"the controller gave {u} at t = {t:g}, which is not finite"
                if k == 0:
                    raise UsageError(text)
                self.lost = self.lost or text  # this step fails: the rows before it remain
            self._coming.append((k + self._delay, u))
        while self._coming and self._coming[0][0] <= k:
            at, u = self._coming.popleft()
            if at == self._history[-1][0]:
                self._history.pop()
            self._history.append((at, u))
        return self._history[-1][1]

    @property
    def now(self) -> np.ndarray:
        """The input that acts."""
        return self._history[-1][1]

    def forget_after(self, k: int) -> None:
        """Forget samples after step k: the run continues from there along another path."""
        self._coming = deque(x for x in self._coming if x[0] - self._delay <= k)
        late = [x for x in self._history[1:] if x[0] > k]
        self._coming.extendleft(x for x in reversed(late) if x[0] - self._delay <= k)
        del self._history[len(self._history) - len(late) :]
        self._sampled = min(self._sampled, k - k % self._every)

    def until(self, k: int) -> int:
        """Return the next step at which the input may change."""
        sample = (k // self._every + 1) * self._every
        return min([sample, *(at for at, _ in self._coming)])

    def acting(self, t: float) -> np.ndarray:
        """Return the input that acts from time t on, which may be between two steps."""
        k = math.floor((float(t) - self._t0) / self._h + 1e-6)
        return next(u for at, u in reversed(self._history) if at <= max(k, 0))

    def inputs(self) -> HeldInputs:
        """Return all inputs, and the time from which each of them acts."""
        at, u = zip(*self._history)
        return HeldInputs(time_at(self._t0, self._h, np.array(at)), np.array(u))

    def _asked(self, t: float, q: Any, v: Any) -> np.ndarray:
        # copies, because a controller may store its arguments
        given = self._controller(float(t), jax.tree.map(np.array, q), np.array(v))
        if isinstance(given, Mapping):
            given = np.stack(
                np.broadcast_arrays(*vector("input", given, self._system.input_labels)), axis=-1
            )
        try:
            u = np.asarray(given, dtype=float)
        except (TypeError, ValueError):
            raise UsageError(
                f"the controller must return numbers, got {given!r} at t = {t:g}"
            ) from None
        single, many = (self.count,), (self.members, self.count)
        wanted = [single] if self.members is None else [many, single]
        if self.count == 1 and (*u.shape, 1) in wanted:
            u = u[..., None]
        if u.shape not in wanted:
            told, names = " or ".join(map(str, wanted)), ", ".join(self._system.input_labels)
            raise UsageError(
                f"{self._system.name()} has {self.count} inputs, {names}; the controller must give "
                f"the shape {told}, and gave {u.shape} at t = {t:g}"
            )
        return np.array(np.broadcast_to(u, wanted[0]))


def _steps(name: str, span: float, h: float) -> int:
    """Return a time as a number of steps."""
    steps = round(span / h)
    if not math.isclose(steps * h, span, rel_tol=1e-9, abs_tol=1e-12) or (span > 0) > steps:
        raise UsageError(
            f"Sampled: {name} = {span:g} is not a multiple of h = {h:g}; samples are taken at steps"
        )
    return steps


def check_sampled(method: Method, **refused: Any) -> None:
    """Raise for options that cannot be combined with a Python controller."""
    if has_own_steps(method) or has_any_times(method):
        raise UsageError(
            f"{method.name} chooses the sizes of its steps, but a Sampled controller needs steps "
            "of one size: use Gauss(), or another method with fixed steps"
        )
    for name, given in refused.items():
        if given is not None:
            raise UsageError(f"u=Sampled(...) and {name}=: {_REFUSED[name]}")


def on_the_host(devices: Any) -> Any:
    """Return a CPU device, because a Python controller is called on the host."""
    if devices is None:
        return jax.local_devices(backend="cpu")[:1]
    if any(x.platform != "cpu" for x in devices):
        raise UsageError(
            "a Sampled controller is called on the CPU, between steps: leave devices= out, or "
            "write it with jax.numpy and give it as u="
        )
    return devices


def refuse_saved(sinks: Mapping[str, Any]) -> None:
    """Raise for a store, and for a sink with the name under which the inputs are saved."""
    if "u" in sinks:
        raise UsageError(
            'save= has a result named "u", which is the name for the inputs of Sampled: rename it'
        )
    if any(hasattr(x, "path") for x in sinks.values()):  # a stream
        raise UsageError(
            "u=Sampled(...) with a store: a stored run cannot be resumed, because the memory of "
            "a Python controller is not stored; keep the rows in memory, or write what you need "
            "from a da.Stepper"
        )


_REFUSED = {
    "tol": "a tolerance is met by runs with several step sizes, for which a Python function that "
    "may remember its calls cannot be called; give h",
    "events": "in an ensemble an event is located by steps of all members with one input; run "
    "members by simulate, or look at the rows",
    "stop_when": "in an ensemble members end by events; run them by simulate, or look at the rows",
    "store": "a stored run cannot be resumed, because the memory of a Python controller is not "
    "stored; save the run when it is done, run.save(path)",
    "executor": "other processes have no controller",
    "q1": "give q0 and v0",
}
