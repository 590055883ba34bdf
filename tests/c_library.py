"""Exported C, compiled by the machine's compiler and called through ctypes."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jax
import numpy as np

STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror")
compiler = shutil.which("cc")


def compiled(source: Path, *flags: str, to: str = "so") -> Path:
    """A library, or a program (`to=""`), of an exported source; every warning is an error."""
    assert compiler is not None
    out = source.with_suffix(f".{to}" if to else "")
    shared = ("-shared", "-fPIC") if to else ()
    command = [compiler, *STRICT, *flags, *shared, str(source), "-lm", "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]
    return out


class Library:
    """The functions of an exported model, on arrays of NumPy."""

    def __init__(self, files: Any, *flags: str) -> None:
        self.prefix, header = files.prefix, files.header.read_text()
        self.real = (
            ctypes.c_float if f"typedef float {self.prefix}_real" in header else ctypes.c_double
        )
        self.has_h = f"{self.prefix}_real h, int64_t n)" in header
        self.sizes = {k: int(n) for k, n in re.findall(r"_(N[QVCU]) (\d+)", header)}
        self.State = self._struct(header, "state")
        self.Parameters = self._struct(header, "parameters")
        self.Inputs = self._struct(header, "inputs")
        self._library = ctypes.CDLL(str(compiled(files.source, *flags)))
        defaults = self._function("defaults")
        defaults.restype = self.Parameters
        self.parameters = defaults()

    def _struct(self, header: str, name: str) -> Any:
        found = re.search(rf"typedef struct {self.prefix}_{name} {{(.*?)}}", header, re.S)
        assert found is not None
        fields: list[Any] = []
        kinds = {f"{self.prefix}_real": self.real, "int64_t": ctypes.c_int64, "char": ctypes.c_char}
        for kind, field, size in re.findall(r"^    (\w+) (\w+)(?:\[(\d+)\])?;", found[1], re.M):
            of = kinds[kind]
            fields.append((field, of * int(size) if size else of))
        return type(name, (ctypes.Structure,), {"_fields_": fields})

    def _function(self, name: str) -> Any:
        return getattr(self._library, f"{self.prefix}_{name}")

    def _array(self, x: Any) -> Any:
        return np.ascontiguousarray(x, dtype=np.float32 if self.real is ctypes.c_float else float)

    def _step(self, h: float | None) -> tuple[Any, ...]:
        return (self.real(h),) if self.has_h else ()

    def _given(self, u: Any) -> Any:
        if u is None:
            return None
        return ctypes.byref(self.Inputs(*map(float, u)))

    def start(self, q: Any, v: Any, h: float | None = None, t: float = 0.0, u: Any = None) -> Any:
        """(result, state)."""
        state = self.State()
        q = self._array(_flat(q))
        v = self._array(v)
        result = self._function("start")(
            ctypes.byref(state), ctypes.byref(self.parameters), self._given(u), *self._step(h),
            self.real(t), ctypes.c_void_p(q.ctypes.data), ctypes.c_void_p(v.ctypes.data),
        )  # fmt: skip
        return result, state

    def steps(self, state: Any, n: int, h: float | None = None, u: Any = None) -> int:
        """The result of n steps, in place."""
        return self._function("steps")(
            ctypes.byref(state), ctypes.byref(self.parameters), self._given(u), *self._step(h),
            ctypes.c_int64(n),
        )  # fmt: skip

    def dynamics(self, q: Any, v: Any, t: float = 0.0, u: Any = None) -> tuple[np.ndarray, ...]:
        """(q_dot, v_dot, multiplier, energy)."""
        sizes = (self.sizes["NQ"], self.sizes["NV"], max(self.sizes["NC"], 1), 1)
        outs = [self._array(np.zeros(n)) for n in sizes]
        q = self._array(_flat(q))
        v = self._array(v)
        result = self._function("dynamics")(
            ctypes.byref(self.parameters), self._given(u), self.real(t),
            *(ctypes.c_void_p(x.ctypes.data) for x in (q, v, *outs)),
        )  # fmt: skip
        assert result == 0
        outs[2] = outs[2][: self.sizes["NC"]]
        return tuple(outs)

    def jacobian(self, q: Any, v: Any, t: float = 0.0, u: Any = None) -> tuple[np.ndarray, ...]:
        """Derivatives of the acceleration by q, v and u."""
        n = self.sizes["NV"]
        outs = [self._array(np.zeros((n, max(k, 1)))) for k in (n, n, self.sizes["NU"])]
        q = self._array(_flat(q))
        v = self._array(v)
        self._function("jacobian")(
            ctypes.byref(self.parameters), self._given(u), self.real(t),
            *(ctypes.c_void_p(x.ctypes.data) for x in (q, v, *outs)),
        )  # fmt: skip
        outs[2] = outs[2][:, : self.sizes["NU"]]
        return tuple(outs)


class HybridLibrary(Library):
    """The functions of an exported hybrid system."""

    def __init__(self, files: Any, *flags: str) -> None:
        super().__init__(files, *flags)
        header = files.header.read_text()
        self.codes = self._enum(header, "enum \\w+_result", "")
        self.modes = self._labels(header, "modes", "mode_")
        self.transitions = self._labels(header, "transitions", "by_")

    def _enum(self, header: str, head: str, lead: str) -> dict[str, int]:
        found = re.search(rf"{head} {{(.*?)}};", header, re.S)
        assert found is not None
        pairs = re.findall(rf"{self.prefix}_{lead}(\w+) = (\d+)", found[1])
        return {name: int(n) for name, n in pairs}

    def _labels(self, header: str, what: str, lead: str) -> list[str]:
        found = re.search(rf"/\* {what} \*/\nenum {{(.*?)}};", header, re.S)
        assert found is not None
        rows = re.findall(rf"{self.prefix}_{lead}(\w+) = \d+,?(?:  /\* (.*?) \*/)?", found[1])
        return [label or word for word, label in rows]

    def code(self, name: str) -> int:
        """A result code by its name."""
        return self.codes[name]

    def start(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, mode: Any, q: Any, v: Any, h: float | None = None, t: float = 0.0, u: Any = None
    ) -> Any:
        """(result, state)."""
        state, q, v = self.State(), self._array(_flat(q)), self._array(v)
        at = self.modes.index(mode) if isinstance(mode, str) else mode
        result = self._function("start")(
            ctypes.byref(state), ctypes.byref(self.parameters), self._given(u), *self._step(h),
            ctypes.c_int64(at), self.real(t), ctypes.c_void_p(q.ctypes.data),
            ctypes.c_void_p(v.ctypes.data),
        )  # fmt: skip
        return result, state

    def start_of_contacts(
        self, q: Any, v: Any, h: float | None = None, t: float = 0.0, u: Any = None
    ) -> Any:
        """(result, state) of a system with friction, which has no argument for a mode."""
        return Library.start(self, q, v, h, t, u)

    def jumps(self, state: Any, first: int = 0) -> list[tuple[float, str, Any]]:
        """(time, transition, mode after it) of the jumps from number `first` on.

        The mode of a system with friction is the number of its contacts.
        """
        ring = len(state.jump_t)
        found = [
            (state.jump_t[i % ring], self.transitions[state.jump_by[i % ring]],
             state.jump_to[i % ring])
            for i in range(first, state.jumps)
        ]  # fmt: skip
        if hasattr(state, "contacts"):
            return found
        return [(t, by, self.modes[to]) for t, by, to in found]


def _flat(q: Any) -> np.ndarray:
    return np.concatenate([np.zeros(0), *(np.ravel(x) for x in jax.tree.leaves(q))])


def numbers(state: Any) -> np.ndarray:
    """q and v of a state of C."""
    return np.array([*getattr(state, "q", ()), *state.v], dtype=float)
