"""[MP] section 5.1: eigenvalues of the time-N map of the contact oscillator, and the critical step.

With h = 2 sin(pi/N) the free motion y_i = a sin(2 pi i/N) has period N under all three methods,
and (x, z, v_z) is mapped linearly; the exact map over a period is a rotation.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert.methods.constant_mass import NodeState

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

OSCILLATOR = da.systems.ContactOscillator()
METHODS = {"(4.18)": da.Leapfrog(), "(4.12)": da.MPEuler(), "(5.3)": da.Shake()}


@experiment(
    "mp-contact-oscillator",
    source="[MP] 5.1",
    title="Contact oscillator: eigenvalues over one period",
    see="Eigenvalues on the unit circle turn, inside it they die out: of the three methods the "
    "reversible ones turn as the exact motion does, the other one comes to rest.",
)
def contact_oscillator(full: bool, seed: int) -> Outcome:
    """Compute eigenvalues at N = 40, a = 1; angles against N; largest unstable step against a."""
    result = {name: eigenvalues(method, 1.0, 40) for name, method in METHODS.items()}
    exact = exact_angle(1.0)
    counts = (20, 40, 80, 160)
    angles = [angle(eigenvalues(da.Leapfrog(), 1.0, n)) for n in counts]
    hs = [2 * math.sin(math.pi / n) for n in counts]
    order = da.diagnostics.fit_order(hs, [abs(a - exact) for a in angles])
    amplitudes = (10, 20, 50, 80, 160) if full else (10, 20, 50, 80)
    scans = {a: growth(a) for a in amplitudes}
    last = {a: min(ah for ah, size in scan if size > 1 + 1e-6) for a, scan in scans.items()}

    moduli = {name: np.abs(eig) for name, eig in result.items()}
    ours, first, shake = (moduli[name] for name in METHODS)
    ones = np.sort(np.abs(result["(5.3)"] - 1))
    claims = [
        Claim(
            "(4.18) is conjugate to the exact motion: eigenvalues 1, exp(+-i alpha)",
            [
                Check("largest | |eigenvalue| - 1 |", np.max(np.abs(ours - 1)), high=1e-12),
                Check("alpha off the exact angle", angles[1] - exact, -0.01, 0.01, "rad"),
                Check("order at which alpha tends to the exact angle", order, 1.8, 2.2),
            ],
        ),
        Claim(
            "the first-order method (4.12) is not conservative: all eigenvalues below 1",
            [Check("largest modulus", np.max(first), high=0.999)],
        ),
        Claim(
            "(5.3), reversible but not DLA, turns in R^4: eigenvalues 1, 1, exp(+-i alpha)",
            [
                Check(
                    "largest | |eigenvalue| - 1 |",
                    np.max(np.abs(shake - 1)),
                    high=1e-7,
                    why="a double eigenvalue is known to the root of round-off",
                ),
                Check("distance of the second one from 1", ones[1], high=1e-6, why="the same"),
            ],
        ),
        Claim(
            "the critical step is about pi/a for large amplitude a",
            [Check(f"a h* at a = {a}", ah, 3.0, 3.3) for a, ah in last.items()],
            [Check(f"a h* at a = {a}", ah, 3.9, 4.25) for a, ah in last.items()],
            "With y_0 = 0 and whole N, steps are unstable up to a h of about 4, where the "
            "denominator of the multiplier, 1 + y_{i+1} y_{i+1/2}, can vanish.",
        ),
    ]
    table = Table(
        ("method", "eigenvalues", "largest modulus", "angle [rad]"),
        [
            (name, ", ".join(_complex(x) for x in eig), f"{np.max(np.abs(eig)):.9f}", _angle(eig))
            for name, eig in result.items()
        ]
        + [("exact", "rotation", f"{1.0:.9f}", f"{exact:.9f}")],
        "N = 40, h = 0.156918 s, a = 1 m; y starts so that y_i = sin(2 pi i/N) under each method.",
    )
    steps = Table(
        ("a [m]", "smallest unstable a h", "N there"),
        [(a, ah, round(math.pi / math.asin(ah / (2 * a)))) for a, ah in last.items()],
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.0, 4.2), columns=2) as (fig, (left, right), look):
            turn = np.linspace(0, 2 * np.pi, 300)
            left.plot(np.cos(turn), np.sin(turn), color=look.muted, lw=1)
            marks = zip(result.items(), ("o", "s", "x"), look.curves)
            for (name, eig), mark, color in marks:
                fill = {"mfc": "none", "mew": 1.8, "ms": 10 if mark == "o" else 7}
                left.plot(np.real(eig), np.imag(eig), mark, color=color, label=name, **fill)
            z = np.exp(1j * exact * np.array([1, -1]))
            left.plot(np.real(z), np.imag(z), "+", color=look.ink, ms=14, label="exact", zorder=1)
            left.set(xlabel="real part", ylabel="imaginary part", aspect="equal")
            da.plots.finish(left, look, "eigenvalues, N = 40, a = 1", "center")
            for (a, scan), color, mark in zip(scans.items(), look.curves, "o^sDv"):
                ah, size = np.array(scan).T
                right.plot(ah, size, mark, color=color, ms=4.5, mfc="none", label=f"a = {a}")
            for x, text in ((math.pi, r"$a h = \pi$"), (4.0, "$a h = 4$")):
                right.axvline(x, color=look.muted, lw=1, ls="--", zorder=1)
                place = {"xytext": (-3, 0), "textcoords": "offset points", "rotation": 90}
                right.annotate(text, (x, 3.0), ha="right", va="center", color=look.ink, **place)
            right.set(xlabel="a h [m s]", ylabel="largest |eigenvalue|", xlim=(2, 7))
            da.plots.finish(right, look, "(4.18) at large amplitude, odd N", "beside")
        return fig

    picture = Picture(
        "",
        "Left: (4.18) and (5.3) lie on the unit circle beside the exact eigenvalues, (4.12) lies "
        "inside. Right: (4.18) becomes unstable beyond a h of about 4, not at pi.",
        "Left: eigenvalues in the complex plane. Right: growth of the time-N map against a h",
        draw,
    )
    return Outcome(claims, [table, steps], [picture])


def eigenvalues(method: da.methods.Method, a: float, N: int) -> np.ndarray:
    """Return the eigenvalues of the map of (x, z, v_z) over N steps of 2 sin(pi/N).

    For (5.3) it is the map of (x, z, v_x, v_z).
    """
    return np.linalg.eigvals(np.asarray(_period_map(method, a, N)))


def _period_map(method: da.methods.Method, a, N) -> jax.Array:
    two_step = isinstance(method, da.Shake)
    h, c = 2 * jnp.sin(jnp.pi / N), jnp.cos(jnp.pi / N)
    v_y = a / c if isinstance(method, da.Leapfrog) else a * c

    def column(u):
        v_x = u[2] if two_step else 0.0  # y = 0 at the start, so the constraint requires x' = 0
        q, v = jnp.array([u[0], 0.0, u[1]]), jnp.array([v_x, v_y, u[-1]])
        state = NodeState(q, v, jnp.zeros(1))
        end = jax.lax.fori_loop(0, N, lambda i, s: method.step(OSCILLATOR, h, h, s).carry, state)
        v = end.v[jnp.array([0, 2])] if two_step else end.v[2:]
        return jnp.concatenate([end.q[jnp.array([0, 2])], v])

    # The map is linear: these are its columns.
    return jax.vmap(column)(jnp.eye(4 if two_step else 3)).T


def angle(eig: np.ndarray) -> float:
    """Return the angle of the eigenvalue that is farthest from the real axis."""
    return float(np.angle(eig[np.argmax(np.imag(eig))]))


def exact_angle(a: float) -> float:
    """Return the rotation angle over one period of the exact motion, by an accurate solution."""

    def column(u):
        q, v = jnp.array([u[0], 0.0, u[1]]), jnp.array([0.0, a, u[2]])
        # One row at the end; the method is adaptive and controls its error by rtol.
        n = 40
        end = da.simulate(
            OSCILLATOR, da.Reference(rtol=1e-12), q, v, h=2 * math.pi / n, steps=n, save_every=n
        ).final
        return np.array([end.q[0], end.q[2], end.v[2]])

    return angle(np.linalg.eigvals(np.stack([column(u) for u in np.eye(3)], axis=1)))


def growth(a: float) -> list[tuple[float, float]]:
    """Return (a h, largest modulus) of (4.18) for odd N, from a h = 2 upwards."""
    odd = np.arange(3, int(2 * math.pi * a / 2), 2)
    odd = odd[2 * a * np.sin(np.pi / odd) < 7]
    maps = jax.jit(jax.vmap(lambda n: _period_map(da.Leapfrog(), float(a), n)))(jnp.asarray(odd))
    sizes = np.max(np.abs(np.linalg.eigvals(np.asarray(maps))), axis=1)
    return [(2 * a * math.sin(math.pi / n), float(s)) for n, s in zip(odd, sizes)]


def _complex(x: complex) -> str:
    if abs(x.imag) < 1e-12:
        return f"{x.real:.10f}"
    return f"{x.real:.10f}{x.imag:+.10f}i"


def _angle(eig: np.ndarray) -> str:
    return f"{angle(eig):.9f}"
