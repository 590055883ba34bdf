"""Provenance of a run: the classes of system and method, their code, and the fields of the method.

An `Identity` is text, so that files can hold it and it compares by value. Resuming a run compares
it and refuses differences by name (`differences`). A method of the library is restored from it
(`Identity.make_method`); nothing in a file ever names code to be run.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import linalg, methods
from ..compile.cache.code_key import code_parts, fingerprint
from ..compile.cache.trusted_code import is_trusted_class
from ..errors import UsageError
from ..methods import Method, rules
from ..system import System, code_of


@dataclasses.dataclass(frozen=True)
class Identity:
    """Classes, code and fields of a run; texts are empty in files of versions without them."""

    system: str = ""  # module:class
    system_code: str = ""  # fingerprint of the class and of the values that its functions read
    method: str = ""  # class and all fields, as JSON
    method_code: str = ""
    parts: str = ""  # user code as JSON: name -> fingerprint, to report what has changed

    @classmethod
    def of(cls, system: System, method: Method) -> Identity:
        """Return the identity of a run of this method on this system."""
        code, without = code_of(system), ("scene",)  # the scene does not affect the numbers
        parts = code_parts(*code, type(method), without=without)
        return cls(
            system=_place(type(system)),
            system_code=fingerprint(*code, without=without),
            method=json.dumps(_encode(method), sort_keys=True),
            method_code=fingerprint(type(method)),
            parts=json.dumps(parts, sort_keys=True) if parts else "",
        )

    def make_method(self) -> Method:
        """Restore the method with its fields; only for classes of the library."""
        made = _decode(json.loads(self.method))
        assert isinstance(made, Method)
        return made

    @property
    def method_is_known(self) -> bool:
        """Whether `make_method` can restore the method."""
        try:
            self.make_method()
        except (UsageError, ValueError):
            return False
        return True

    def differences(self, now: Identity) -> list[str]:
        """Return the differences, each as a sentence; unknown (empty) fields are not compared."""
        lines = []
        if self.system and self.system_code != now.system_code:
            lines.append(f"the code of {_name(self.system)} has changed since{self._changed(now)}")
        if self.method and self.method != now.method:
            then, new = (_decoded_text(x.method) for x in (self, now))
            lines.append(f"the method was {then}, not {new}")
        elif self.method and self.method_code != now.method_code:
            lines.append(
                f"the code of the method {_decoded_text(self.method)} has changed since"
                f"{self._changed(now)}"
            )
        return lines

    def _changed(self, now: Identity) -> str:
        """Return which parts of the code differ, and how, as far as they are known by name."""
        then, new = (json.loads(x.parts or "{}") for x in (self, now))
        lines = [f"{k} is gone" for k in then if k not in new]
        lines += [f"{k} is new" for k in new if k not in then]
        for k in then:
            if k in new and then[k] != new[k]:
                hidden = "#" in then[k] + new[k]  # a hash, not a number
                lines.append(f"{k} is another" if hidden else f"{k} was {then[k]}, not {new[k]}")
        shown = lines[:4] + [f"and {len(lines) - 4} more"] * (len(lines) > 4)
        return f": {', '.join(shown)}" if lines else " (its source, or a value that it reads)"


# Files name a class of the library by its module. A class that has moved is still named by its old
# module, so that old stores can be resumed.
_FIRST_PLACES = {
    "dalembert.running.record.reductions": "dalembert.running.reductions",
    "dalembert.methods.rules.quadrature": "dalembert.methods.rules",
    "dalembert.methods.rules.special": "dalembert.methods.rules",
}


def _place(cls: type) -> str:
    # a user's class counts by its code: it may be in a script or in a module
    module = cls.__module__ if is_trusted_class(cls) else ""
    return f"{_FIRST_PLACES.get(module, module)}:{cls.__qualname__}"


def _name(place: str) -> str:
    return place.rpartition(":")[2]


def _encode(x: object) -> Any:
    """Encode fields of a method for JSON; functions are encoded by their code."""
    if x is None or isinstance(x, (bool, int, float, str)):
        return x
    if isinstance(x, (np.generic, np.ndarray)):
        return {"array": np.asarray(x).tolist()}
    if isinstance(x, (tuple, list)):
        return {"items": [_encode(item) for item in x]}
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        # fields of later versions are left out at their defaults, so that older files compare equal
        fields = {
            f.name: _encode(getattr(x, f.name))
            for f in dataclasses.fields(x)
            if f.init and not (f.metadata.get("later") and getattr(x, f.name) == f.default)
        }
        return {"class": _place(type(x)), "fields": fields}
    return {"code": fingerprint(x)}


def described(x: object) -> str:
    """Return an object of plain fields as text, with its functions by their code."""
    return json.dumps(_encode(x), sort_keys=True)


def _known_classes() -> Mapping[str, type]:
    values = [x for module in (methods, rules, linalg) for x in vars(module).values()]
    classes = [x for x in values if isinstance(x, type) and dataclasses.is_dataclass(x)]
    return {_place(cls): cls for cls in (*classes, methods.RDLA, methods.Hamiltonized)}


def _decode(x: Any) -> Any:
    if not isinstance(x, dict):
        return x
    if "array" in x:
        return np.asarray(x["array"])
    if "items" in x:
        return tuple(_decode(item) for item in x["items"])
    if "class" in x:
        known = _known_classes()
        if x["class"] not in known:
            raise UsageError(f"{_name(x['class'])} is not a class of the library")
        return known[x["class"]](**{k: _decode(v) for k, v in x["fields"].items()})
    raise UsageError("the file has a hash of a function, from which it cannot be restored")


def _decoded_text(text: str) -> str:
    """Return a method as a person would write it."""

    def write(x: Any) -> str:
        if not isinstance(x, dict):
            return repr(x)
        if "items" in x:
            return f"({', '.join(map(write, x['items']))})"
        if "class" in x:
            inside = ", ".join(f"{k}={write(v)}" for k, v in x["fields"].items())
            return f"{_name(x['class'])}({inside})"
        return str(x.get("array", "a function"))

    return write(json.loads(text))
