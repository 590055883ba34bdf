"""Orders 2, 4, 6 and 8 on the constraint: the claim of each family of methods, measured."""

from __future__ import annotations

import math

import jax.numpy as jnp
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment
from ..helpers.ends import runner, state

END = 6.0
# Numbers of steps, each half of the next, where the error is neither large nor round-off.
COUNTS = {2: (96, 192, 384), 4: (48, 96, 192), 6: (24, 48, 96), 8: (24, 48)}
QUICK = (
    *map(da.Gauss, (1, 2, 3, 4)),
    da.Lobatto(3),
    da.EnergyGauss(2),
    da.Composition(da.DLA(), 4),
)
MORE = (da.Lobatto(4), da.EnergyGauss(3), da.Composition(da.DLA(), 6), da.Composition(da.GNI(), 4))


@experiment(
    "orders",
    source="beyond the documents",
    title="Order 2, 4, 6 and 8, with the constraint at round-off",
    see="Error of the Chaplygin sleigh against the step, for methods of four families: the slopes "
    "are the orders, and the blade does not slip.",
)
def orders(full: bool, seed: int) -> Outcome:
    """Run the sleigh against its closed form."""
    sleigh = da.systems.ChaplyginSleigh(a=0.3)
    exact = state(*sleigh.closed_form(jnp.asarray(END)))
    methods = QUICK + MORE if full else QUICK
    result: dict[str, list[tuple[float, float]]] = {}
    slips: dict[str, float] = {}
    claims = []
    for method in methods:
        go, order = runner(sleigh, method), method.traits.order
        errors, slip = [], 0.0
        for n in COUNTS[order]:
            end = go(END / n, n)
            error = float(np.max(np.abs(state(end.row.q, end.row.v) - exact)))
            errors.append((END / n, math.nan if int(end.result) else error))
            slip = max(slip, float(end.residual))
        result[method.name], slips[method.name] = errors, slip
        measured = math.log2(errors[-2][1] / errors[-1][1])
        # the next term of the error at these steps is 0.004 up to order 4, 0.03 beyond
        near = 0.05 if order <= 4 else 0.1
        observed = Check("observed order", measured, order - near, order + near)
        why = "some units in the last place of the velocity"
        residual = Check("largest residual", slip, high=1e-13, unit="m/s", why=why)
        text = f"{method.name} has order {order} and keeps the constraint at the nodes"
        claims.append(Claim(text, [observed, residual]))
    table = Table(
        ("method", "claimed order", "observed", "error at the smallest step", "residual"),
        [
            (
                m.name,
                m.traits.order,
                f"{math.log2(e[-2][1] / e[-1][1]):.2f}",
                e[-1][1],
                slips[m.name],
            )
            for m, e in ((m, result[m.name]) for m in methods)
        ],
        f"Chaplygin sleigh, a = 0.3 m: largest error in (q, v) at t = {END:g} s.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (7.2, 4.6)) as (fig, ax, look):
            marks = "osX^vDP*<>h"
            for i, ((name, errors), mark) in enumerate(zip(result.items(), marks)):
                color = look.curves[i % len(look.curves)]
                ax.plot(*zip(*errors), f"-{mark}", color=color, ms=5, lw=1.2, label=name)
            ax.set(xscale="log", yscale="log", xlabel="h [s]", ylabel="error at t = 6 s")
            ax.set_xticks([0.02, 0.05, 0.1, 0.2], ["0.02", "0.05", "0.1", "0.2"])
            ax.minorticks_off()
            da.plots.finish(ax, look, "", "beside")
        return fig

    see = "Steeper is better: a method of order p falls by 2^p with every halving of the step."
    alt = "Errors of several methods against the step, straight lines of slopes 2 to 8"
    return Outcome(claims, [table], [Picture("", see, alt, draw)])
