"""What the commands print: tables, reports, and strictly valid JSON."""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from numpy.typing import ArrayLike

from .. import diagnostics, dynamics
from ..errors import SimulationError, UsageError
from ..groups import Euclidean, Group, Product
from ..methods import Method
from ..methods import default as default_method
from ..methods import registry as methods
from ..names import velocity_units
from ..pages import Table
from ..results import Trajectory
from ..system import System
from .reading import position_names, velocity_names
from .tables import print_table as print_table

if TYPE_CHECKING:
    from ..reproduce.sources import Item

Json = Mapping[str, Any]  # an object as `--json` prints it

# The purpose of a family of methods, by the beginning of the name; longer ones first.
_FOR = {
    "gni-euler-a-then": "GNI: both Euler rules in turn",
    "gni-": "geometric nonholonomic integrator",
    "dla-midpoint-4": "DLA, composed for high order",
    "dla-midpoint-6": "DLA, composed for high order",
    "dla-": "discrete Lagrange-d'Alembert",
    "gauss-": "collocation; for most runs",
    "lobatto-": "collocation with both ends",
    "radau": "for stiff machines; damps",
    "energy-gauss": "energy to round-off where constant",
    "leapfrog-": "leapfrog, composed for high order",
    "leapfrog": "one force evaluation for each step",
    "shake": "two-step form of GNI",
    "newmark": "Newmark's family, for comparison",
    "hamel": "quasi-velocities, for comparison",
    "mp-": "methods of [MP], for comparison",
    "reversible": "smaller steps where motion is fast",
    "rk4": "Runge-Kutta; the constraint drifts",
    "reference": "accurate solution for comparison",
    "taylor": "adaptive; for high accuracy",
}

# -- JSON ----------------------------------------------------------------------------------------


def print_json(value: object) -> None:
    """Print JSON on one line; numbers that are not finite become null."""
    print(json.dumps(_plain(value), allow_nan=False), flush=True)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(k): _plain(x) for k, x in value.items()}
    if isinstance(value, (jax.Array, np.ndarray, np.generic)):
        return _plain(np.asarray(value).tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(x) for x in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, (str, int, bool)) or value is None else str(value)


def energy_conserved(system: System) -> bool | None:
    """Return whether the exact motion conserves the energy; None if this is not known."""
    if system.conserves_energy is None and system.is_nonlinear:
        return None
    return dynamics.energy_is_conserved(system)


def result(system: System, method: Method, traj: Trajectory) -> dict[str, object]:
    """Return the results of a run as plain data, for `--json`."""
    meta, last = traj.meta, traj.final
    energy = np.asarray(diagnostics.energy(system, traj))
    values = {
        "system": meta.system,
        "method": meta.method,
        "order": method.traits.order,
        "parameters": meta.parameters,
        "h": meta.h,
        "own_steps": meta.own_steps,
        "tol": meta.tol,
        "error_estimate": meta.error_estimate,
        "steps": meta.steps,
        "t0": meta.t0,
        "t": last.t,
        "q": system.groupoid.base.flatten(last.q),
        "v": last.v,
        "q_names": position_names(system),
        "v_names": velocity_names(system),
        "energy_initial": energy[0],
        "energy_final": energy[-1],
        "energy_error_max": _largest(energy - energy[0]),
        "energy_conserved": energy_conserved(system),
        "constraint_residual_max": _largest(diagnostics.constraint_residual(system, traj)),
        "holonomic_residual_max": _largest(diagnostics.holonomic_residual(system, traj)),
        "invariant_drift_max": {
            name: _largest(x) for name, x in diagnostics.invariant_drift(system, traj).items()
        },
        "newton_residual_max": _largest(traj.residual),
        "rows": len(traj),
        "warnings": traj.warnings,
        "wall_s": meta.wall_s,
        "compile_s": meta.compile_s,
        "engine": meta.engine,
        "engine_reason": meta.engine_reason,
    }
    if last.frame is not None:
        values["frame"] = system.groupoid.group.flatten(last.frame)
    return values


def failure(system: System, method: Method, h: float, error: SimulationError) -> dict[str, object]:
    """Return the error of a failed run, and its rows until then, as plain data for `--json`."""
    rows = error.trajectory
    return {
        "system": system.name(),
        "method": method.name,
        "h": h,
        "error": str(error),
        "step": error.step,
        "t": error.time,
        "newton_residual_max": error.residual,
        "rows": 0 if rows is None else len(rows),
        "warnings": () if rows is None else rows.warnings,
    }


def _largest(series: ArrayLike) -> float:
    return float(np.max(np.abs(np.asarray(series)), initial=0.0))


# -- texts ---------------------------------------------------------------------------------------


def print_result(system: System, traj: Trajectory) -> None:
    """Print the report, then the final state."""
    print(diagnostics.report(system, traj))
    last = traj.final
    q = np.asarray(system.groupoid.base.flatten(last.q))
    print(f"\n  at t = {float(last.t):g}")
    rows = []
    for names, values, units in (
        (position_names(system), q, tuple(system.units)),
        (velocity_names(system), np.asarray(last.v), tuple(velocity_units(system))),
    ):
        units = units if len(units) == len(values) else ("",) * len(values)
        for name, value, unit in zip(names, values, units, strict=True):
            rows.append((name, f"{value: .9g}", "" if unit == "1" else unit))
    print(textwrap.indent(Table(("", "", ""), rows, align="lll").text(), "    "))


def print_record(record: Json) -> None:
    """Print the result of an experiment: its tables, then each claim with verdict and numbers."""
    size = "published size" if record["full"] else "quick"
    print(f"{record['name']}: {record['title']} ({size}, {record['seconds']:.0f} s)\n")
    for table in record["tables"]:
        if table["caption"]:
            print(textwrap.fill(table["caption"], 100))
        print_table(table["heads"], table["rows"], right=range(1, len(table["heads"])))
        print()
    for claim in record["claims"]:
        print(textwrap.fill(f"{claim['verdict'].upper()}: {claim['text']}", 100))
        checks = [("", c) for c in claim["checks"]]
        checks += [("corrected: ", c) for c in claim["corrected"]]
        for prefix, check in checks:
            outside = "" if check["holds"] else ", outside"
            line = f"{prefix}{check['what']}: {check['measured']} ({check['wanted']}{outside})"
            print(textwrap.fill(line, 98, initial_indent="    ", subsequent_indent="      "))
        for text in (claim["note"], claim["unpublished"] and f"chosen: {claim['unpublished']}"):
            if text:
                print(textwrap.fill(text, 98, initial_indent="    ", subsequent_indent="    "))
    for note in record["notes"]:
        print(textwrap.fill(note, 100))
    print(flush=True)


def item_rows(items: Sequence[Item]) -> list[dict[str, object]]:
    """Return table rows for the items of a source: place, content, what computes it, its test."""
    return [
        {
            "place": item.place,
            "what": item.what,
            "status": item.status.value,
            "names": item.built,
            "decided_by": item.decided,
            "lacks": item.lacks,
        }
        for item in items
    ]


def print_items(items: Sequence[Item]) -> None:
    """Print items of a source as a table."""
    rows = [
        [i.place, i.what, i.status.value, ", ".join(i.built) or i.lacks, ", ".join(i.decided)]
        for i in items
    ]
    print_table(("place", "what", "status", "computed by", "decided by"), rows)
    print()


def method_rows() -> list[dict[str, object]]:
    """Return all methods with their traits."""
    return [{"name": name, **dataclasses.asdict(make().traits)} for name, make in methods.items()]


def method_purpose(name: str) -> str:
    """Return the purpose of a method, in a few words."""
    return next((text for start, text in _FOR.items() if name.startswith(start)), "")


def method_cells(rows: Sequence[Json]) -> list[list[str]]:
    """Return one line for each method, the default marked."""
    usual = default_method().name
    cells = []
    for row in rows:
        name = f"{row['name']} *" if row["name"] == usual else str(row["name"])
        cells.append([name, str(row["order"]), "yes" if row["symmetric"] else "no",
                      method_purpose(str(row["name"]))])  # fmt: skip
    return cells


_HEADS = {
    "multiplier_order": "mult.", "symmetric": "sym.", "explicit": "expl.", "parasitic": "mode",
    "on_constraint": "on it",
}  # fmt: skip


def print_traits(rows: Sequence[Json]) -> None:
    """Print the short traits as a table, and below it the long ones, which many methods share."""
    long = ("keeps", "reference")
    heads = [k for k in rows[0] if k not in long]
    words = {True: "yes", False: "no"}
    cells = [
        [words[row[k]] if isinstance(row[k], bool) else str(row[k]) for k in heads] for row in rows
    ]
    numeric = [i for i, k in enumerate(heads) if isinstance(rows[0][k], (int, float))]
    print_table([_HEADS.get(k, k) for k in heads], cells, right=numeric)
    print(
        "\nmult.: order of the multipliers; mode: parasitic mode; on it: rows are on the\n"
        "constraint to round-off; stable: largest h times the frequency of an oscillation"
    )
    groups: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        groups.setdefault((row["keeps"], row["reference"]), []).append(row["name"])
    print("\nkept to round-off along a run, and where it comes from:")
    for (keeps, reference), names in groups.items():
        print()
        lines = textwrap.wrap(", ".join(names), 76, break_on_hyphens=False)
        print(textwrap.indent("\n".join(lines), "  "))
        for text in (f"keeps {keeps}", reference):
            print(textwrap.indent(textwrap.fill(text, 92), "    "))


def summary(system: System) -> dict[str, object]:
    """Return one line of the list of systems."""
    return {
        "name": system.name(),
        "about": (inspect.getdoc(type(system)) or "").partition("\n")[0],
        "dim": system.dim,
        "constraint": constraint_kind(system),
        "space": space_name(system),
        "reference": system.reference,
    }


def space_name(system: System) -> str:
    """Return a name such as R^2 x SO(3); of a reduced system, also the group it is reduced by."""

    def name(group: Group) -> str:
        if isinstance(group, Product):
            return " x ".join(name(factor) for factor in group.factors)
        return f"R^{group.dim}" if isinstance(group, Euclidean) else repr(group)

    base, group = system.groupoid.base, system.groupoid.group
    if not group.dim:
        return name(base)
    whole = f"{name(base)} x {name(group)}" if base.dim else name(group)
    return f"{whole}, reduced by {name(group)}"


def constraint_kind(system: System) -> str:
    """Return linear, affine, nonlinear, holonomic, or a combination ("holonomic + linear")."""
    kinds = []
    if system.has_holonomic:
        kinds.append("holonomic")
    if type(system).constraint is not System.constraint:
        kinds.append("affine" if system.has_offset else "linear")
    if system.is_nonlinear:
        kinds.append("nonlinear")
    return " + ".join(kinds) or "none"


def facts(system: System) -> dict[str, object]:
    """Return the description of a system as plain data, for `systems NAME`."""
    known = summary(system)
    known["doc"] = inspect.getdoc(type(system)) or ""
    known["parameters"] = [
        {"name": name, "default": system.parameters()[name], "unit": unit, "doc": doc}
        for name, _, unit, doc in system.parameter_table()
    ]
    names, units = position_names(system), tuple(system.units)
    known["coordinates"] = [
        {"name": name, "unit": units[i] if len(units) == len(names) else ""}
        for i, name in enumerate(names)
    ]
    speeds, rates = velocity_names(system), tuple(velocity_units(system))
    known["velocities"] = list(speeds)
    known["velocity_units"] = list(rates if len(rates) == len(speeds) else [""] * len(speeds))
    known["invariants"] = list(system.invariants)
    known["energy_conserved"] = energy_conserved(system)
    known["closed_form"] = hasattr(system, "closed_form")
    try:
        q, v = system.initial()
        known |= {"q0": system.groupoid.base.flatten(q), "v0": v}
    except UsageError:
        known |= {"q0": None, "v0": None}
    return known


def print_facts(known: Json) -> None:
    """Print the description of a system that `facts` returns."""
    print(f"{known['name']}\n\n{known['doc'].strip()}\n")
    words = {True: "yes", False: "no", None: "not known"}
    speeds = [
        _with_unit({"name": name, "unit": unit})
        for name, unit in zip(known["velocities"], known["velocity_units"], strict=True)
    ]
    lines = (
        ("space", f"{known['space']}, dimension {known['dim']}"),
        ("constraint", known["constraint"]),
        ("keeps energy", words[known["energy_conserved"]]),
        ("invariants", ", ".join(known["invariants"]) or "none known"),
        ("closed form", words[known["closed_form"]]),
        ("coordinates", ", ".join(_with_unit(c) for c in known["coordinates"])),
        ("velocities", ", ".join(speeds)),
        ("--q0", joined(known["q0"])),
        ("--v0", joined(known["v0"])),
    )
    text = Table(("", ""), [line for line in lines if line[1]], align="ll")
    print(textwrap.indent(text.text(), "  "), "\n", sep="")
    if known["parameters"]:
        heads = ("parameter", "default", "unit", "meaning")
        rows = [[p["name"], joined(p["default"]), p["unit"], p["doc"]] for p in known["parameters"]]
        print_table(heads, rows, right=(1,))


def _with_unit(coordinate: Mapping[str, str]) -> str:
    name, unit = coordinate["name"], coordinate["unit"]
    return f"{name} [{unit}]" if unit not in ("", "1") else name


def joined(values: ArrayLike | Callable[..., object] | None) -> str:
    """Return numbers as text, in the form that command-line options accept."""
    if values is None:
        return "none"
    if isinstance(values, (bool, str)) or callable(values):
        return str(values)
    array = np.asarray(values, dtype=float)
    # The form that --set accepts: a matrix is 1,0;0,1 or, with one row, 1,0;
    rows = array if array.ndim > 1 else np.atleast_1d(array)[None]
    text = ";".join(",".join(f"{x:.6g}" for x in row) for row in rows)
    return f"{text};" if array.ndim > 1 and len(array) == 1 else text
