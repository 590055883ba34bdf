"""[C02] 8.1 to 8.6: controllability from rest, statement by statement."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import control, geometry
from dalembert.control.controllability import good_bad_test
from dalembert.control.germs import ControlGerm

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

BODY = da.systems.PlanarBody()
ARM = da.systems.PassiveArm()
WET, DAMPED = da.systems.UnderwaterVehicle(), da.systems.UnderwaterVehicle(k=0.4)


class Flat(da.MechanicalSystem):
    """A plane with L = |v|^2/2 and one input: y'' = u and x'' = u y."""

    space = da.Euclidean(2)

    @property
    def mass(self):
        return jnp.eye(2)

    def inputs(self, q):
        return jnp.stack([jnp.stack([q[1], jnp.ones(())])])


class Cubic(Flat):
    """The same plane with x'' = u y^3/3."""

    def inputs(self, q):
        return jnp.stack([jnp.stack([q[1] ** 3 / 3.0, jnp.ones(())])])


class Line(da.MechanicalSystem):
    """A mass on a line."""

    space = da.Euclidean(1)
    mass = jnp.eye(1)

    def inputs(self, q):
        return jnp.ones((1, 1))


class Falling(da.MechanicalSystem):
    """Y_1 = y d/dx + d/dy and Y_2 = z d/dx + d/dz: they commute, and S is definite."""

    space = da.Euclidean(3)

    @property
    def mass(self):
        return jnp.eye(3)

    def inputs(self, q):
        return jnp.stack([jnp.stack([q[1], 1.0, 0.0]), jnp.stack([q[2], 0.0, 1.0])])


@experiment(
    "c02-controllability",
    source="[C02] 8.1, 8.2.1, 8.3, 8.4, 8.5.1, 8.6.1, 8.6.4",
    title="What can be reached from rest: the statements of chapter 8",
    see="One input pushes x - y^2/2 down only, whatever it does: the sample lies on one side of "
    "the start. The body with a thruster reaches all sides.",
)
def controllability(full: bool, seed: int) -> Outcome:
    """Decide controllability of systems of the chapter, and sample their reachable sets."""
    verdicts = {
        "planar body": control.controllability(BODY, jnp.zeros(3)),
        "R^3, 8.5.2": control.controllability(da.systems.TwistedInputs()),
        "commuting, definite S": control.controllability(Falling(), jnp.zeros(3)),
        "one input, dim Q = 1": control.controllability(Line(), jnp.zeros(1)),
        "one input, x'' = u y": control.controllability(Flat(), jnp.zeros(2)),
        "one input, x'' = u y^3/3": control.controllability(Cubic(), jnp.zeros(2)),
        "underwater vehicle": control.controllability(WET),
        "underwater vehicle, k_d = -0.4": control.controllability(DAMPED),
    }
    body = verdicts["planar body"]
    given = good_bad_test(ControlGerm(BODY, jnp.zeros(3), 4), np.eye(2), 4).obstruction
    lemma = _brackets(seed)
    members = 4000 if full else 800
    fall = control.reachable_set(Flat(), jnp.zeros(2), members=members, seed=seed)
    free = control.reachable_set(BODY, jnp.zeros(3), members=members, seed=seed)
    height = fall.ends[:, 0] - 0.5 * fall.ends[:, 1] ** 2
    higher = verdicts["one input, x'' = u y^3/3"]
    dry, wet = verdicts["underwater vehicle"], verdicts["underwater vehicle, k_d = -0.4"]
    wrong, missed = _random_forms(seed)
    assert given is not None
    assert body.form is not None
    assert body.form.A is not None
    assert body.form.basis is not None
    assert dry.form is not None
    assert wet.form is not None
    assert higher.good_bad is not None
    obstruction = higher.good_bad.obstruction
    claims = [
        Claim(
            "Lemma 8.1.1: [Delta, Z] = Z and [Delta, Y^lift] = -Y^lift; and "
            "[X^lift, [Z, Y^lift]] = <X : Y>^lift",
            [Check(f"largest difference, {k}", x, high=1e-11) for k, x in lemma["8.1.1"].items()],
        ),
        Claim(
            "8.6.1: [Z + k Delta, [Z + k Delta, Y]] = [Z, [Z, Y]] - [Z + k Delta, Y]",
            [Check("largest difference", lemma["printed"], high=1e-11)],
            [Check("with k in front of the last bracket", lemma["corrected"], high=1e-11)],
            "A factor k_d was lost (E31); nothing that follows needs it.",
        ),
        Claim(
            "8.5.1: A = [[-2h, 1], [1, 0]], det A = -1, new basis {Y1 + h Y2, Y2}",
            [
                Check(
                    "largest difference of A",
                    np.max(np.abs(body.form.A - [[-2 * BODY.h, 1], [1, 0]])),
                    high=1e-12,
                ),
                Check("det A", np.linalg.det(body.form.A), -1 - 1e-12, -1 + 1e-12),
                Check(
                    "largest difference of the basis",
                    np.max(np.abs(body.form.basis - [[1, BODY.h], [0, 1]])),
                    high=1e-12,
                ),
            ],
        ),
        Claim(
            "8.5.1: LA and LCA; STLCC in the new basis, where the given inputs fail the test",
            [
                _yes("LA", body.la),
                _yes("LCA", body.lca),
                _yes("STLCC", body.stlcc),
                Check("bad product outside of good ones, given inputs", given.outside, low=0.5),
            ],
        ),
        Claim(
            "Theorem 8.3.1: with one input STLCC if and only if dim Q = 1",
            [
                _yes("STLCC, dim Q = 1", verdicts["one input, dim Q = 1"].stlcc),
                _no("STLCC, dim Q = 2", verdicts["one input, x'' = u y"].stlcc),
                Check("largest x - y^2/2 of the sample", np.max(height), high=1e-12, unit="m"),
                Check("smallest", np.min(height), high=-1e-3, unit="m"),
            ],
            note=f"{members} random controls, |u| <= 1 N, 1 s.",
        ),
        Claim(
            "Proof of 8.4.2, case 1: if <I : I> lies in I at the point, any basis of the inputs "
            "meets the sufficient conditions",
            [
                Check(
                    "bad product outside of good ones, x'' = u y^3/3",
                    0.0 if obstruction is None else obstruction.outside,
                    high=1e-9,
                )
            ],
            note=f"Degree {0 if obstruction is None else obstruction.degree}: products of higher "
            "degree count (E33).",
        ),
        Claim(
            "8.4: a basis of inputs with <Z_i : Z_i> in I exists exactly where S is zero or takes "
            "both signs",
            [
                Check("bases that are not null, of 500 random forms", wrong, 0, 0),
                Check("forms that take both signs and get no basis", missed, 0, 0),
            ],
            note="In place of the cases A1 to B of the proof.",
        ),
        Claim(
            "8.4, with involutive inputs: S definite, so x can only fall and it is not STLCC",
            [_no("STLCC", verdicts["commuting, definite S"].stlcc)],
        ),
        Claim(
            "Corollaries 8.6.2 and 8.6.4, Theorem 8.6.8: isotropic damping changes no verdict",
            [
                Check("k_d found", wet.damping, -0.4 - 1e-9, -0.4 + 1e-9, "1/s"),
                Check("largest change of S", np.max(np.abs(dry.form.S - wet.form.S)), high=1e-12),
                _yes("STLCC without damping", dry.stlcc),
                _yes("STLCC with damping", wet.stlcc),
            ],
        ),
    ]
    table = Table(
        ("system", "Sym", "Lie(Sym)", "LA", "LCA", "STLC", "STLCC"),
        [
            (
                name,
                f"{x.sym.rank} of {x.freedom}",
                f"{x.lie.rank} of {x.dim}",
                *(v.answer for v in (x.la, x.lca, x.stlc, x.stlcc)),
            )
            for name, x in verdicts.items()
        ],
        "Ranks at the point, and what they decide.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.4, 4.1), columns=2) as (fig, (left, right), look):
            dots = {"ms": 3, "mew": 0, "alpha": 0.6}
            y = np.linspace(-0.5, 0.5, 101)
            left.plot(fall.ends[:, 1], fall.ends[:, 0], ".", color=look.curves[0], **dots)
            left.plot(y, 0.5 * y**2, color=look.curves[1], lw=1.5, label="x = y^2/2")
            left.set(xlabel="y [m]", ylabel="x [m]")
            da.plots.finish(left, look, "one input: not STLCC", "lower right")
            right.plot(free.ends[:, 0], free.ends[:, 1], ".", color=look.curves[0], **dots)
            right.set(xlabel="x [m]", ylabel="y [m]")
            da.plots.finish(right, look, "planar body: STLCC")
            for ax in (left, right):
                ax.plot(0, 0, "+", color=look.curves[1], ms=14, mew=2)
        return fig

    picture = Picture(
        "",
        "Ends of random motions from rest at the cross. Left: all of them below the curve. Right: "
        "around the start.",
        "Two clouds of points: one below a parabola, one around a cross",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _yes(what: str, verdict: control.Verdict) -> Check:
    return Check(f"{what}: verdict yes (1) or not (0)", float(verdict.answer == "yes"), 1, 1)


def _no(what: str, verdict: control.Verdict) -> Check:
    return Check(f"{what}: verdict no (1) or not (0)", float(verdict.answer == "no"), 1, 1)


def _brackets(seed: int, k: float = -0.6) -> dict:
    """Test brackets on TQ of spray, lifts and Liouville field, for the arm (curved metric)."""
    n = ARM.dim

    def field(i):
        return lambda q: jnp.linalg.solve(da.dynamics.metric(ARM, q), ARM.inputs(q).T)[:, i]

    def lift(X):
        return lambda z: jnp.concatenate([jnp.zeros(n), X(z[:n])])

    def spray(z):
        return jnp.concatenate([z[n:], da.dynamics.acceleration(ARM, z[:n], z[n:])])

    def scaling(z):
        return jnp.concatenate([jnp.zeros(n), z[n:]])

    def bracket(X, Y):
        return lambda z: jax.jvp(Y, (z,), (X(z),))[1] - jax.jvp(X, (z,), (Y(z),))[1]

    X, Y = field(0), field(1)
    product = geometry.symmetric_product(ARM, X, Y)
    damped = lambda z: spray(z) + k * scaling(z)  # noqa: E731
    inner = bracket(damped, lift(Y))
    pairs = {
        "[Delta, Z] - Z": (bracket(scaling, spray), spray),
        "[Delta, Y^lift] + Y^lift": (bracket(scaling, lift(Y)), lambda z: -lift(Y)(z)),
        "product by lifts": (bracket(lift(X), bracket(spray, lift(Y))), lift(product)),
        "printed": (
            bracket(damped, inner),
            lambda z: bracket(spray, bracket(spray, lift(Y)))(z) - inner(z),
        ),
        "corrected": (
            bracket(damped, inner),
            lambda z: bracket(spray, bracket(spray, lift(Y)))(z) - k * inner(z),
        ),
    }
    z = jnp.asarray(np.random.default_rng(seed).normal(size=(3, 2 * n)))
    at = jax.jit(
        jax.vmap(lambda z: {k: jnp.max(jnp.abs(a(z) - b(z))) for k, (a, b) in pairs.items()})
    )
    off = {name: float(np.max(x)) for name, x in at(z).items()}
    printed, corrected = off.pop("printed"), off.pop("corrected")
    return {"8.1.1": off, "printed": printed, "corrected": corrected}


def _random_forms(seed: int) -> tuple[int, int]:
    """Test 500 random forms; return (bases that are not null, indefinite forms without a basis)."""
    rng = np.random.default_rng(seed)
    wrong = missed = 0
    for _ in range(500):
        m = int(rng.integers(2, 7))
        B = rng.normal(size=(m, int(rng.integers(1, m + 1))))
        S = B @ np.diag(rng.choice([-1.0, 1.0], size=B.shape[1])) @ B.T
        basis = control.isotropic_basis(S)
        x = rng.normal(size=(3000, m))
        seen = np.einsum("ki,ij,kj->k", x, S, x)
        if basis is None:
            missed += int(seen.min() < 0 < seen.max())
            continue
        size = np.linalg.norm(S) * np.sum(basis**2, axis=1)
        null = np.abs(np.einsum("ki,ij,kj->k", basis, S, basis)) <= 1e-9 * size
        wrong += int(not np.all(null) or np.linalg.matrix_rank(basis) < m)
    return wrong, missed
