"""What products and brackets decide together: statements A, B, C, against reached points (E30)."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import control
from dalembert.control.second_order import definite_member


class Polynomial(da.MechanicalSystem):
    """y_i'' = u_i, x'' = b_i(x, y) u_i, with b of degree 2 and b(0) = 0."""

    linear: jax.Array  # b_i = linear[i, j] y_j + cubic[i, j, k] q_j q_k
    cubic: jax.Array
    space = da.Euclidean(3)
    mass = jnp.eye(3)

    def inputs(self, q):
        b = self.linear @ q[1:] + jnp.einsum("ijk,j,k->i", self.cubic, q, q)
        return jnp.column_stack([b, jnp.eye(2)])


L = 24.0  # s = T - t runs over this many powers of e; T = 1
TAU = np.linspace(-L, 0.0, 6001)
X = (TAU + L) / L
WINDOW, ROUND = np.sin(np.pi * X) ** 3, 2 * np.pi * X
WAVES = np.array([WINDOW * f(k * ROUND) for k in range(12) for f in (np.cos, np.sin)][:1] + [
    WINDOW * f(k * ROUND) for k in range(1, 12) for f in (np.cos, np.sin)])  # fmt: skip


def slopes(w):
    return np.gradient(w, TAU, axis=-1, edge_order=2)


def loops(system):
    """Loops y(t) with the largest and the least x at second order, by Galerkin's method.

    From the system's own numbers: x = int b.u, with b(0) = 0, linear in y, is integrated by parts.
    """
    B = np.asarray(system.linear)
    rates = slopes(WAVES)
    step = TAU[1] - TAU[0]
    mixed = step * WAVES @ rates.T  # int w_j w_k' over tau
    square = step * rates @ rates.T
    # x(T) = int s b.y'' dt = int b(y).y' dt - int s b(y').y' dt; time runs against tau
    J = -np.einsum("ij,kl->ikjl", B, mixed.T) - np.einsum("ij,kl->ikjl", B, square)
    J = J.reshape(2 * len(WAVES), -1)
    values, vectors = np.linalg.eigh(0.5 * (J + J.T))
    return [(values[k], (vectors[:, k].reshape(2, -1) @ WAVES)) for k in (0, -1)]


def reached(system, w):
    """x at the end of y'' = u, x'' = b(q).u along the loop y = w, at rest before it."""
    B, C = np.asarray(system.linear), np.asarray(system.cubic)
    s = np.exp(TAU)
    u = slopes(slopes(w)) - slopes(w)  # times s^2
    x = np.zeros(len(TAU))

    def back(f):  # the integral over t from the start to each s
        parts = 0.5 * (f[1:] + f[:-1]) * np.diff(TAU)
        return np.concatenate([np.cumsum(parts[::-1])[::-1], [0.0]])

    for _ in range(4):
        q = np.concatenate([x[None], w])
        b = B @ w + np.einsum("ijk,jt,kt->it", C, q, q)
        rate = back(np.sum(b * u, axis=0) / s)  # x'
        x = back(rate * s)
    return x[0]


def test_two_hundred_random_systems_against_what_is_reached():
    """yes: x of both signs at y = 0; no: of one sign. From S, omega and cubic terms at random."""
    rng = np.random.default_rng(2)
    answers = {"yes": 0, "no": 0, "inconclusive": 0}
    for k in range(200):
        S = rng.normal(size=(2, 2))
        S = {0: S + S.T, 1: S @ S.T + 0.2 * np.eye(2), 2: np.outer(S[0], S[0])}[k % 3]
        omega = 0.0 if (k // 3) % 2 else rng.choice([-1, 1]) * rng.uniform(0.4, 2.0)
        # b_ij = d b_i / d y_j: S_ij = b_ij + b_ji, omega_12 = b_21 - b_12
        B = 0.5 * S * np.linalg.norm(S) ** -1 + 0.5 * omega * np.array([[0.0, -1.0], [1.0, 0.0]])
        system = Polynomial(jnp.asarray(B), jnp.asarray(0.5 * rng.normal(size=(2, 3, 3))))
        found = control.controllability(system, jnp.zeros(3), degree=2)
        np.testing.assert_allclose(abs(found.second.omega[0, 0, 1]), abs(omega), atol=1e-12)
        answer = found.stlcc.answer
        answers[answer] += 1
        signs = set()
        for J, w in loops(system):
            size = 0.02 / np.max(np.abs(w))
            x = reached(system, size * w) / size**2
            if abs(J) > 1e-3:
                np.testing.assert_allclose(x, J, rtol=0.2, atol=1e-3)
                signs.add(np.sign(x))
        if answer == "yes":
            assert signs == {-1.0, 1.0}, (k, S, omega)
        elif answer == "no":
            assert len(signs) == 1, (k, S, omega)
        # what second order leaves open is S semidefinite without a bracket
        assert (answer == "inconclusive") == (k % 3 == 2 and not omega), (k, found.stlcc)
        if k % 3 == 1:
            assert found.stlc.answer == "no" and "statement C" in found.stlc.reason
    assert min(answers.values()) >= 30, answers


def test_random_controls_never_cross_where_the_answer_is_no():
    """S definite, omega = 0 at the origin only: brackets elsewhere do not help."""
    rng = np.random.default_rng(5)
    system = Polynomial(jnp.eye(2), jnp.asarray(rng.normal(size=(2, 3, 3))))
    assert control.controllability(system, jnp.zeros(3), degree=2).stlcc.answer == "no"
    ends = [reached(system, 0.02 * rng.normal(size=(2, len(WAVES))) @ WAVES) for _ in range(300)]
    assert np.max(ends) < 0.0


def test_a_weak_bracket_is_enough():
    """omega is a fifth of S: x > 0 needs loops over many scales of time, and is reached."""
    system = Polynomial(jnp.array([[0.5, -0.25], [0.25, 0.5]]), jnp.zeros((2, 3, 3)))
    found = control.controllability(system, jnp.zeros(3))
    assert found.form.kind == "definite" and found.stlcc and found.stlc.answer == "no"
    (low, _), (high, w) = loops(system)
    assert low < -1.0 and 0.01 < high and reached(system, 1e-2 * w) > 0.0


def test_forms_that_have_a_definite_member():
    rng = np.random.default_rng(0)
    for m, k in ((2, 2), (3, 2), (4, 3)):
        for _ in range(20):
            S = rng.normal(size=(k, m, m))
            S = S + np.swapaxes(S, 1, 2)
            weights = rng.normal(size=k)
            A = rng.normal(size=(m, m))
            S[0] = (A @ A.T + 0.1 * np.eye(m) - np.tensordot(weights[1:], S[1:], 1)) / weights[0]
            found = definite_member(S)
            assert found is not None and np.linalg.eigvalsh(found)[0] > 0
    null = np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    assert definite_member(np.array(null)) is None  # every member has trace 0
    assert definite_member(np.zeros((2, 2, 2))) is None


class Skewed(da.MechanicalSystem):
    """Two inputs, four coordinates: x1 falls with |y'|^2, x2 is moved by a bracket."""

    space = da.Euclidean(4)
    mass = jnp.eye(4)

    def inputs(self, q):
        y, z = q[2], q[3]
        return jnp.stack([jnp.stack([y, z, 1.0, 0.0]), jnp.stack([z, -y, 0.0, 1.0])])


def test_one_direction_without_brackets_is_enough_for_no():
    found = control.controllability(Skewed(), jnp.zeros(4))
    assert found.lca and found.form is None and found.second.S.shape == (2, 2, 2)
    assert found.stlcc.answer == "no" and "statement A" in found.stlcc.reason


@pytest.mark.parametrize("k", [0.0, 0.7])
def test_damping_changes_neither_form(k):
    class Damped(Polynomial):
        def force(self, t, q, v):
            return -k * v

    system = Damped(jnp.array([[0.5, -0.25], [0.25, 0.5]]), jnp.zeros((2, 3, 3)))
    found = control.controllability(system, jnp.zeros(3))
    assert abs(found.damping + k) < 1e-12 and found.stlcc and found.stlc.answer == "no"
