"""Runs inside of transformations: native code that JAX calls, arrays where it differentiates."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import dalembert as da
from dalembert.linalg import INCONSISTENT, OK
from dalembert.running.programs import inside_jax

SLEIGH, QUARTIC = da.systems.ChaplyginSleigh(), da.systems.ChaoticQuartic()
RUN = {"h": 0.02, "steps": 60, "save_every": 20}


def members(system, n=5):
    q, v = map(np.asarray, system.initial())
    speed = 1.0 + 0.1 * np.arange(n)[:, None]
    return np.repeat(q[None], n, axis=0), v * speed


def rows_of(traj):
    return [traj.t, traj.q, traj.v, traj.p, traj.multiplier]


@pytest.mark.parametrize("around", [lambda f: f, jax.jit], ids=["vmap", "jit of vmap"])
@pytest.mark.parametrize(
    ("system", "method"),
    [(SLEIGH, da.GNI()), (SLEIGH, da.Gauss(2)), (QUARTIC, da.Leapfrog()), (QUARTIC, da.RK4())],
)
def test_members_by_vmap_are_those_of_single_runs(system, method, around):
    q, v = members(system)
    found = around(jax.vmap(lambda q, v: da.simulate(system, method, q, v, **RUN)))(q, v)
    assert found.meta.engine == "native" and "differentiated" in found.meta.engine_reason
    for i in range(len(q)):
        alone = da.simulate(system, method, q[i], v[i], **RUN)
        for a, b in zip(rows_of(found), rows_of(alone)):
            np.testing.assert_allclose(a[i], b, rtol=1e-11, atol=1e-12)
        assert np.all(found.result[i] == OK) and np.all(found.residual[i] < 1e-12)


@pytest.mark.parametrize("n", [1, 15, 16, 17, 300])
def test_any_number_of_members(n):
    q, v = members(QUARTIC, n)
    found = jax.vmap(lambda q, v: da.simulate(QUARTIC, da.Leapfrog(), q, v, **RUN).q)(q, v)
    many = da.simulate_ensemble(QUARTIC, da.Leapfrog(), q, v, **RUN)
    np.testing.assert_allclose(found, many.q, rtol=1e-12, atol=1e-12)


def test_groups_with_frames():
    """Reduced systems carry an attitude beside the row."""
    ball = da.systems.BallOnTurntable()
    q, v = members(ball, 3)
    method = da.GNI(da.Trapezoidal())
    found = jax.jit(jax.vmap(lambda v: da.simulate(ball, method, q[0], v, project=True, **RUN)))(v)
    alone = da.simulate(ball, method, q[0], v[2], project=True, **RUN)
    np.testing.assert_allclose(found.frame[2], alone.frame, rtol=1e-11, atol=1e-12)


def test_steps_times_and_parameters_of_their_own():
    def end(a, h, t0):
        sleigh = da.systems.ChaplyginSleigh(a=a)
        traj = da.simulate(sleigh, da.DLA(), h=h, t0=t0, steps=40, save_every=40)
        return traj.t[-1], traj.q[-1]

    a, h, t0 = np.array([0.1, 0.3]), np.array([0.01, 0.02, 0.03]), np.array([0.0, 5.0])
    over = jax.vmap(jax.vmap(jax.vmap(end, (None, None, 0)), (None, 0, None)), (0, None, None))
    t, q = jax.jit(over)(a, h, t0)
    assert q.shape == (2, 3, 2, 3)
    for i, j, k in np.ndindex(2, 3, 2):
        one = da.simulate(da.systems.ChaplyginSleigh(a=a[i]), da.DLA(), h=h[j], t0=t0[k], steps=40)
        np.testing.assert_allclose(t[i, j, k], one.t[-1], rtol=1e-14)
        np.testing.assert_allclose(q[i, j, k], one.q[-1], rtol=1e-11, atol=1e-13)


def test_failures_are_told_by_the_result():
    class Wall(da.MechanicalSystem):
        space, mass = da.Euclidean(1), np.eye(1)

        def potential(self, q):
            return 1e-3 * jnp.sqrt(1.0 - q[0])

    v = np.array([[0.1], [5.0]])
    run = {"h": 0.01, "steps": 100, "save_every": 50}
    both = [
        jax.vmap(lambda v, e=e: da.simulate(Wall(), da.RK4(), [0.0], v, engine=e, **run))(v)
        for e in (None, "arrays")
    ]
    assert [x.meta.engine for x in both] == ["native", "arrays"]
    native, arrays = both
    np.testing.assert_array_equal(native.result, arrays.result)
    assert np.all(native.result[0] == OK) and native.result[1, -1] != OK
    np.testing.assert_allclose(native.q[0], arrays.q[0], rtol=1e-12)


def test_data_off_the_constraint_are_told_or_projected():
    q, v = members(SLEIGH, 2)
    off = v + np.array([[0.0, 0.0, 0.0], [0.0, 0.5, 0.0]])
    refused, projected = (
        jax.vmap(lambda v, p=p: da.simulate(SLEIGH, q[0], v, project=p, **RUN))(off)
        for p in (False, True)
    )
    np.testing.assert_array_equal(refused.result[:, 0], [OK, INCONSISTENT])
    assert np.all(projected.result == OK)
    alone = da.simulate(SLEIGH, q[1], off[1], project=True, **RUN)
    np.testing.assert_allclose(projected.q[1], alone.q, rtol=1e-11, atol=1e-12)


class Hill(da.MechanicalSystem):
    """Cheap to differentiate."""

    space, mass = da.Euclidean(2), np.eye(2)

    def potential(self, q):
        return jnp.cos(q[0]) + 0.1 * q[0] * q[1] ** 2

    def constraint(self, q):
        return jnp.array([[q[0], 1.0]])


def end_of(v, **how):
    run = {"h": 0.02, "steps": 40, "save_every": 40, "project": True}
    traj = da.simulate(Hill(), da.RK4(), jnp.array([0.3, 0.2]), v, **run, **how)
    return jnp.sum(traj.q[-1] ** 2)


def test_what_is_differentiated_is_arrays():
    v = jnp.array([1.0, -0.3])
    slope = jax.grad(lambda v: end_of(v, engine="arrays"))(v)
    many = jax.vmap(jax.grad(end_of))(jnp.stack([v, 1.1 * v]))
    for found in (jax.grad(jax.jit(end_of))(v), jax.jacfwd(end_of)(v), many[0]):
        np.testing.assert_allclose(found, slope, rtol=1e-12)
    value, again = jax.jit(jax.value_and_grad(end_of))(v)
    np.testing.assert_allclose(again, slope, rtol=1e-12)
    np.testing.assert_allclose(value, end_of(v), rtol=1e-12)
    step = 1e-5 * jnp.array([1.0, -0.3])  # the values themselves are native
    difference = (end_of(v + step) - end_of(v - step)) / 2
    np.testing.assert_allclose(difference, slope @ step, rtol=1e-7)


def test_the_engine_is_told_where_it_is_differentiated():
    said = []

    def end(v):
        traj = da.simulate(Hill(), da.RK4(), [0.3, 0.2], v, h=0.02, steps=40)
        said.append((traj.meta.engine, traj.meta.engine_reason))
        return traj.q[-1, 0]

    jax.grad(end)(jnp.array([1.0, -0.3]))
    ((engine, reason),) = said
    assert engine == "native" and "gradients" in reason


def test_short_runs_stay_arrays():
    run = jax.jit(lambda v: da.simulate(SLEIGH, da.RK4(), jnp.zeros(3), v, h=0.02, steps=10))
    assert run(jnp.array([1.0, 0.0, 0.8])).meta.engine == "arrays"


class Pulled(da.MechanicalSystem):
    """By a function, which may read what is outside of it."""

    space, mass = da.Euclidean(1), np.eye(1)
    pull: object = None

    def potential(self, q):
        return self.pull(q[0])


def test_functions_that_read_numbers_of_a_transformation():
    """They are another function for every number: nothing of them is kept."""

    def end(k):
        system = Pulled(pull=lambda x: 0.5 * k * x**2)
        return da.simulate(system, da.RK4(), [1.0], [0.0], h=0.01, steps=50).q[-1, 0]

    k = jnp.array([1.0, 2.0, 5.0])
    with jax.checking_leaks():
        found = [jax.jit(end)(k[1]), *jax.jit(jax.vmap(end))(k)]
    expected = np.cos(np.sqrt(np.array([2.0, 1.0, 2.0, 5.0])) * 0.5)
    np.testing.assert_allclose(found, expected, rtol=1e-8)
    slope = jax.grad(end)(k[1])
    w = np.sqrt(2.0)
    np.testing.assert_allclose(slope, -np.sin(w * 0.5) * 0.5 / (2 * w), rtol=1e-7)


def test_what_a_function_reads_is_seen_to_change():
    for k in (1.0, 4.0):
        system = Pulled(pull=lambda x: 0.5 * k * x**2)  # noqa: B023
        run = jax.vmap(
            lambda x: da.simulate(system, da.RK4(), x, [0.0], h=0.01, steps=50).q[-1, 0]  # noqa: B023
        )
        np.testing.assert_allclose(run(np.ones((2, 1))), np.cos(np.sqrt(k) * 0.5), rtol=1e-8)


def test_runs_inside_of_loops():
    def again(v, _):
        traj = da.simulate(SLEIGH, da.RK4(), jnp.zeros(3), v, h=0.02, steps=40, save_every=40)
        return traj.v[-1] * jnp.array([1.0, 0.0, 1.0]), traj.q[-1]

    # from (0, 0, 0) with v along the edge
    _, ends = jax.jit(lambda v: lax.scan(again, v, length=3))(jnp.array([1.0, 0.0, 0.8]))
    v = jnp.array([1.0, 0.0, 0.8])
    for end in ends:
        v, q = again(v, None)
        np.testing.assert_allclose(end, q, rtol=1e-11, atol=1e-12)


def test_what_has_no_scalar_code_is_arrays_with_the_reason():
    class Complex(da.MechanicalSystem):
        space, mass = da.Euclidean(1), np.eye(1)

        def potential(self, q):
            return 0.5 * jnp.abs(q[0] + 1j) ** 2

    run = jax.jit(lambda v: da.simulate(Complex(), da.RK4(), [1.0], v, h=0.01, steps=50))
    found = run(jnp.zeros(1))
    assert found.meta.engine == "arrays" and "complex" in found.meta.engine_reason
    np.testing.assert_allclose(found.q[-1, 0], np.cos(0.5), rtol=1e-9)


def test_nothing_of_jax_is_called_by_what_jax_calls(monkeypatch):
    """It could wait for itself there."""
    q, v = members(QUARTIC, 40)
    run = jax.vmap(lambda q, v: da.simulate(QUARTIC, da.Leapfrog(), q, v, **RUN).q)
    expected = run(q, v)
    call, inside = inside_jax._MemberBlocks.__call__, []

    def watched(self, *buffers):
        with monkeypatch.context() as patch:
            for name in ("asarray", "array", "zeros", "concatenate"):
                patch.setattr(jnp, name, None)
            patch.setattr(jax, "jit", None)
            patch.setattr(jax, "make_jaxpr", None)
            inside.append(buffers)
            return call(self, *buffers)

    monkeypatch.setattr(inside_jax._MemberBlocks, "__call__", watched)
    np.testing.assert_array_equal(run(q, v), expected)
    assert inside


class Root(da.MechanicalSystem):
    """Free; parameters and times at which something that nobody asks for has no slope."""

    space, mass = da.Euclidean(1), np.eye(1)
    power: float = 2.0
    friction: float = 0.0

    def potential(self, q):
        return 0.0 * (q[0] - 5.0) ** self.power + jnp.sqrt(self.friction)

    def force(self, t, q, v):
        return 0.0 * jnp.sqrt(t) * v


def test_derivatives_are_taken_of_what_moves_only():
    def end(v):
        return da.simulate(Root(), da.RK4(), [0.0], v, h=0.01, steps=40).q[-1, 0]

    v = jnp.ones(1)
    with jax.debug_nans(True):
        np.testing.assert_allclose(jax.grad(end)(v), [0.4], rtol=1e-13)
    np.testing.assert_allclose(jax.jacfwd(end)(v), [0.4], rtol=1e-13)
    np.testing.assert_allclose(jax.hessian(end)(v), [[0.0]], atol=1e-13)


class Numbered(da.MechanicalSystem):
    """With a parameter that is no number of double precision."""

    space, mass = da.Euclidean(1), np.eye(1)
    z: object = None

    def potential(self, q):
        return 0.5 * self.stiffness() * q[0] ** 2

    def stiffness(self):
        if jnp.iscomplexobj(self.z):
            return jnp.abs(self.z) ** 2
        return (self.z % 7) * 1.0


@pytest.mark.parametrize(
    ("z", "stiffness"), [(jnp.array(1.0 + 1.0j), 2.0), (jnp.array(2**60 + 1), (2**60 + 1) % 7)]
)
def test_parameters_that_doubles_are_not(z, stiffness):
    def end(z):
        return da.simulate(Numbered(z=z), da.RK4(), [1.0], [0.0], h=0.01, steps=50).q[-1, 0]

    np.testing.assert_allclose(jax.jit(end)(z), np.cos(np.sqrt(stiffness) * 0.5), rtol=1e-8)


def test_numbers_of_a_transformation_in_hidden_places():
    """Where no look at the code finds them, tracing does."""

    def end(k):
        hidden = iter([k])
        kept = []

        def pull(x):
            kept.extend(hidden)
            return 0.5 * kept[0] * x**2

        system = Pulled(pull=pull)
        return da.simulate(system, da.RK4(), [1.0], [0.0], h=0.01, steps=50).q[-1, 0]

    k = jnp.array([1.0, 4.0])
    expected = np.cos(np.sqrt(np.asarray(k)) * 0.5)
    np.testing.assert_allclose(jax.jit(jax.vmap(end))(k), expected, rtol=1e-8)
    np.testing.assert_allclose(jax.vmap(end)(k), expected, rtol=1e-8)


def test_methods_with_arrays_in_their_fields():
    @dataclasses.dataclass(frozen=True)
    class Scaled(da.RK4):
        by: object = None

    def end(v):
        method = Scaled(by=np.ones(2))
        return da.simulate(Root(), method, [0.0], v, h=0.01, steps=40).q[-1, 0]

    np.testing.assert_allclose(jax.jit(end)(jnp.ones(1)), 0.4, rtol=1e-13)


def test_a_step_size_that_is_an_array():
    h = jnp.asarray(0.01)
    end = jax.jit(lambda v: da.simulate(Root(), da.RK4(), [0.0], v, h=h, steps=40).q[-1, 0])
    np.testing.assert_allclose(end(jnp.ones(1)), 0.4, rtol=1e-13)


@pytest.mark.parametrize("steps", [20, 60])  # by arrays and by native code
def test_the_last_row_alone_is_what_it_is_outside(steps):
    q, v = members(SLEIGH)
    run = {"h": 0.02, "steps": steps, "save": da.Final()}
    inside = jax.jit(jax.vmap(lambda q, v: da.simulate(SLEIGH, da.DLA(), q, v, **run)))(q, v)
    for i in range(len(v)):
        outside = da.simulate(SLEIGH, da.DLA(), q[i], v[i], **run)
        assert outside.t.shape == (1,)
        for a, b in zip(rows_of(inside), rows_of(outside)):
            np.testing.assert_allclose(a[i], b, atol=1e-12)
