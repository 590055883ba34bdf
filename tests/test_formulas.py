"""Formulas: textbook equations, derivatives against the geometry, code that gives our numbers."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import jit
from dalembert import dynamics
from dalembert.errors import UsageError
from dalembert.symbolic import expressions as symbolic_expressions

sp = pytest.importorskip("sympy")


def _same(equation, left, right):
    """Whether an equation says left = right, up to a factor of both sides."""
    ours, theirs = equation.lhs - equation.rhs, left - right
    return sp.simplify(ours - theirs) == 0


@pytest.fixture(scope="module")
def sleigh():
    return da.formulas(da.systems.ChaplyginSleigh())


def test_the_sleigh_reads_like_the_textbook(sleigh):
    s = sleigh.symbols
    m, J, a = (s.parameters[x] for x in "mJa")
    theta, w1, w2 = s.q[2], *sp.symbols("w1 w2", real=True)
    d1, d2 = sp.symbols("w1_dot w2_dot", real=True)
    S, shape = sleigh.basis
    assert shape == [] and S[:, 0].T == sp.Matrix([[sp.cos(theta), sp.sin(theta), 0]])
    first, second = sleigh.reduced.sympy()
    assert _same(first, m * d1, m * a * w2**2)  # u' = a w^2
    assert _same(second, (J + m * a**2) * d2, -m * a * w1 * w2)
    # L, M and the equations with the reaction
    x, y, w = s.v
    lateral = y * sp.cos(theta) - x * sp.sin(theta)
    L = m * (x**2 + y**2 + 2 * a * w * lateral + a**2 * w**2) / 2 + J * w**2 / 2
    assert sp.expand(sleigh.lagrangian.sympy() - L) == 0
    assert sp.simplify(sleigh.metric.sympy() - sp.hessian(L, s.v)) == sp.zeros(3, 3)
    one = sleigh.equations.sympy()[0]
    lam = s.multipliers[0]
    push = m * a * w**2 * sp.cos(theta) + lam * sp.sin(theta)
    assert _same(one, m * s.a[0] - m * a * sp.sin(theta) * s.a[2], push)


def test_the_knife_edge_and_its_reaction():
    found = da.formulas(da.systems.KnifeEdge())
    s = found.symbols
    m, J, g, alpha = (s.parameters[x] for x in ("m", "J", "g", "alpha"))
    theta, lam = s.q[2], s.multipliers[0]
    x, y, turn = found.equations.sympy()  # [C02] 4.2.2
    assert _same(x, m * s.a[0], m * g * sp.sin(alpha) + lam * sp.sin(theta))
    assert _same(y, m * s.a[1], -lam * sp.cos(theta))
    assert _same(turn, J * s.a[2], 0)


def test_suslov_is_eulers_equation_with_a_reaction():
    found = da.formulas(da.systems.Suslov())
    s = found.symbols
    I = sp.Matrix(3, 3, [s.parameters[f"inertia[{i}]"] for i in range(9)])
    axis = sp.Matrix([s.parameters[f"a[{i}]"] for i in range(3)])
    w = sp.Matrix(s.v)
    right = (I * w).cross(w) + s.multipliers[0] * axis  # I w' = I w x w + lam a
    for equation, left, push in zip(found.equations.sympy(), I * sp.Matrix(s.a), right):
        assert _same(equation, left, push)


def test_the_rolling_disk_has_the_equations_of_routh_and_appell():
    """With n = psi' - phi' sin(theta), the spin about the axle, and theta from the vertical:

    (I2 + m R^2) n' = m R^2 phi' theta' cos(theta),
    I1 (phi'' cos(theta) - 2 phi' theta' sin(theta)) = I2 n theta',
    (I1 + m R^2) theta'' = -I1 phi'^2 sin cos - (I2 + m R^2) n phi' cos + m g R sin
    """
    found = da.formulas(da.systems.RollingDisk())
    s = found.symbols
    m, R, I1, I2, g = (s.parameters[x] for x in ("m", "R", "I1", "I2", "g"))
    S, _ = found.basis
    assert S[2:, :] == sp.eye(3)  # w = (psi', phi', theta')
    w = sp.symbols("w1:4", real=True)
    rates = sp.symbols("w1_dot w2_dot w3_dot", real=True)
    sin, cos = sp.sin(s.q[4]), sp.cos(s.q[4])
    psi, phi, theta = w
    n = psi - phi * sin
    turned = rates[0] - rates[1] * sin - phi * theta * cos  # n'
    spin, steer, fall = (e.lhs - e.rhs for e in found.reduced.sympy())
    K = I2 + m * R**2
    printed = [
        K * turned - m * R**2 * phi * theta * cos,
        cos * (I1 * (rates[1] * cos - 2 * phi * theta * sin) - I2 * n * theta),
        (I1 + m * R**2) * rates[2] + I1 * phi**2 * sin * cos + K * n * phi * cos - m * g * R * sin,
    ]
    # the second is the one for phi, with that for psi times sin(theta) added
    for ours, theirs in zip((spin, steer + sin * spin, fall), printed, strict=True):
        assert sp.simplify(sp.expand(ours - theirs)) == 0


def test_the_snakeboard_and_its_momentum_equation():
    found = da.formulas(da.systems.Snakeboard())
    s = found.symbols
    m, J, J0, J1, r = (s.parameters[x] for x in ("m", "J", "J0", "J1", "r"))
    x, y, turn, psi, phi = s.v
    theta, steer = s.q[2], s.q[4]
    rows = [e.lhs - e.rhs for e in found.constraint.sympy()]
    assert sp.simplify(rows[0] - (y * sp.cos(theta) - x * sp.sin(theta))) == 0
    along = x * sp.cos(theta) + y * sp.sin(theta)
    assert sp.simplify(rows[1] - (sp.sin(steer) * along + r * sp.cos(steer) * turn)) == 0
    # p = -m r cos(phi) (forward speed) + (J + 2 J1) sin(phi) theta' up to a factor (BKMM 1996)
    parts = {a.name: b for a, b in found.momentum.parts}
    rates = {e.lhs.name: e.rhs for e in found.momentum.sympy()}
    p = -m * r * sp.cos(steer) * along + (J + 2 * J1) * sp.sin(steer) * turn
    factor = sp.simplify(parts["J_se2"] / p)
    assert factor.is_number and factor != 0
    # on the constraint, (x', y', theta') = w (-r cos(phi) e(theta), sin(phi))
    w = sp.Symbol("w", real=True)
    on = {x: -r * sp.cos(steer) * sp.cos(theta) * w, y: -r * sp.cos(steer) * sp.sin(theta) * w}
    on[turn] = sp.sin(steer) * w
    rotor = s.inputs[0]
    rate = (J + 2 * J1 - m * r**2) * sp.sin(steer) * sp.cos(steer) * w * phi
    rate -= rotor * sp.sin(steer)
    assert sp.simplify(rates["J_se2_dot"].subs(on) / factor - rate) == 0


def test_curvature_is_what_the_chaplygin_equations_need():
    found = da.formulas(da.systems.VerticalRollingDisk())
    s = found.symbols
    # d/dt dLc/dr' - dLc/dr = -(dL/ds')_b B^b_ij r'^j (BKMM 1996, (2.9)): here both sides vanish
    # but for the curvature's part, which does too on the constraint
    C = found.connection.sympy()
    R, turn = s.parameters["R"], s.q[2]
    assert C == sp.Matrix([[0, -R * sp.cos(turn)], [0, -R * sp.sin(turn)]])
    B = {e.lhs.name: e.rhs for e in found.curvature.sympy()}
    assert sp.simplify(B["B__x_theta1theta2"] + R * sp.sin(turn)) == 0
    assert sp.simplify(B["B__y_theta1theta2"] - R * sp.cos(turn)) == 0
    L = found.lagrangian.sympy()
    on = dict(zip(s.v[:2], -C * sp.Matrix(s.v[2:])))
    # the generalized force of the curvature, for the equation of theta2 with theta1'
    force = sum(
        sp.diff(L, v).subs(on) * B[f"B__{name}_theta1theta2"]
        for v, name in zip(s.v[:2], ("x", "y"))
    )
    assert sp.simplify(force) == 0
    assert all(sp.simplify(e.rhs) == 0 for e in found.reduced.sympy())


def test_the_linearization_of_a_falling_pendulum():
    class Pendulum(da.MechanicalSystem):
        l: float = da.parameter(0.5, "m", positive=True)
        space = da.Euclidean(1)
        coordinate_names = ("angle",)

        @property
        def mass(self):
            return np.eye(1)

        def potential(self, q):
            import jax.numpy as jnp

            return 9.81 / self.l * jnp.cos(q[0])

    found = da.formulas(Pendulum())
    A = found.linearization(q=[0], v=[0]).sympy()
    l = found.symbols.parameters["l"]
    assert A[0, :] == sp.Matrix([[0, 1]]) and abs(float((A[1, 0] * l).evalf()) - 9.81) < 1e-12
    with pytest.raises(UsageError, match="no steady motion"):
        found.linearization(q=[sp.Rational(1, 2)], v=[0])


def test_latex_has_dots_and_greek_letters(sleigh):
    text = sleigh.reduced.latex()
    assert "\\dot{w_{1}}" in text and "\\begin{aligned}" in text
    text = sleigh.equations.latex()
    assert "\\ddot{\\theta}" in text and "theta_dot" not in text
    # the page of the site shows what it gives
    page = (Path(__file__).parent.parent / "docs" / "export.md").read_text()
    assert sleigh.reduced.latex() in page


@pytest.mark.parametrize("name", ["chaplygin-sleigh", "suslov", "snakeboard", "rolling-disk"])
def test_generated_python_gives_our_accelerations(name):
    """The whole zoo: `python -m tests.exports --formulas`."""
    system = da.systems.registry[name]()
    space: dict = {}
    exec(da.formulas(system).python(), space)
    q, v = system.initial()
    flat = np.concatenate([np.zeros(0), *(np.ravel(x) for x in _leaves(q))])
    a, lam = space["acceleration"](0.3, flat, np.asarray(v))
    solved = jit(dynamics.solved)(system, q, v, 0.3)
    size = 1.0 + np.max(np.abs(solved.acceleration))
    assert np.max(np.abs(a - solved.acceleration)) < 1e-12 * size
    assert np.max(np.abs(lam - solved.multipliers), initial=0.0) < 1e-12 * size
    with np.testing.assert_raises(KeyError):
        space["terms"](0.0, flat, np.asarray(v), p={})


def _leaves(q):
    return jax.tree.leaves(q)


class Looped(da.systems.ChaplyginSleigh):
    def force(self, t, q, v):
        return -v * jax.lax.while_loop(lambda x: x > 1.0, lambda x: 0.5 * x, 3.0 + q[0] ** 2)


class Gamma(da.systems.ChaplyginSleigh):
    def lagrangian(self, q, v):
        return super().lagrangian(q, v) * jnp.nextafter(self.m, 2.0)


def test_a_function_without_a_rule_is_named():
    with pytest.raises(UsageError, match=r"a loop .* has no symbolic rule"):
        da.formulas(Looped()).equations
    with pytest.raises(UsageError, match="'nextafter' has no symbolic rule"):
        da.formulas(Gamma()).lagrangian
    with pytest.raises(UsageError, match="no known split"):
        da.formulas(da.systems.ChaplyginSleigh()).connection
    with pytest.raises(UsageError, match="formulas needs a System"):
        str(da.formulas(3))  # pyright: ignore


class Names(da.System):
    """A cart on a curve, whose parameters are called as symbols of formulas are."""

    a: jax.Array = da.parameter((0.3, 0.2), "1", "an array")
    a_1: float = da.parameter(5.0, "1", "another number")
    t: float = da.parameter(7.0, "1", "no time")
    w1: float = da.parameter(11.0, "1", "no velocity")
    z0: float = da.parameter(13.0, "1", "no part")

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - self.w1 * q[0] - self.z0 * q[2]

    def force(self, t, q, v):
        both = jnp.exp(q[2])
        return jnp.array([self.a[0] * q[0] + both, self.a_1 * q[1] + both, self.t * jnp.sin(t)])

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])


def test_symbols_do_not_merge(monkeypatch):
    found = da.formulas(Names())
    names = [x.name for x in found.symbols.parameters.values()]
    assert len({*names, "t"}) == len(names) + 1
    s = found.symbols
    p, q = s.parameters, s.q
    right = [x.rhs for x in found.equations.sympy()]
    assert sp.diff(right[0], q[0]) == p["a[0]"] and sp.diff(right[1], q[1]) == p["a_1"]
    assert sp.diff(right[2], p["t"]) == sp.sin(s.t)
    w = found.reduced.parts[2][1].free_symbols  # theta' = w_2
    assert {x.name for x in w} == {"w_2"}
    monkeypatch.setattr(symbolic_expressions, "WRITTEN_OUT", 2)
    parts = da.formulas(Names()).equations.parts
    assert parts and all("z_" in a.name for a, _ in parts)


class Whole(da.System):
    """Numbers that are made whole, and roots of negative ones."""

    space = da.Euclidean(3)
    kind: int = 0

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def force(self, t, q, v):
        if self.kind:
            n = jnp.floor(q[0]).astype(int)
            return jnp.array(
                [jax.lax.round(q[1]), jax.lax.rem(n, 3) * 1.0, jax.lax.div(n, 3) * 1.0]
            )
        return jnp.array([(10 * q[0]).astype(int) * 1.0, jnp.cbrt(q[1]), (q[2] > 0) * 2.0])


def test_whole_numbers_and_roots_are_those_of_runs():
    v = np.zeros(3)
    for kind, q in ((0, (-0.57, -0.3, 0.2)), (1, (-7.5, 2.5, 0.0)), (1, (8.1, -0.5, 0.0))):
        system, q = Whole(kind=kind), np.array(q)
        force = np.asarray(system.force(0.0, jnp.array(q), v))
        found, space = da.formulas(system), {}
        exec(found.python(), space)
        np.testing.assert_allclose(space["acceleration"](0.0, q, v)[0], force, rtol=1e-15)
        if kind:
            with pytest.raises(UsageError, match=r"'(round_away|rem)' has no symbolic rule"):
                found.equations
        else:
            at = dict(zip(found.symbols.q, q))
            told = [complex(x.rhs.subs(at)) for x in found.equations.sympy()]
            np.testing.assert_allclose(told, force, rtol=1e-14)


def test_a_nonlinear_constraint_is_not_shown_as_a_linear_one():
    found = da.formulas(da.systems.Benenti())
    with pytest.raises(da.UsageError, match="not linear in v"):
        found.constraint.sympy()
    assert found.equations.sympy() and "equations" in str(found)
