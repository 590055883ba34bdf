"""Recorded inputs: tables of any length by native code, in Taylor and in sensitivities (B3)."""

import pickle

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert import control
from dalembert.compile.ir import table_lookup
from dalembert.system import as_arrays


class Cart(da.System):
    """A cart on a blade, driven along it and turned."""

    k: float = 0.1
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - self.k * jnp.cos(q[0])

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def inputs(self, q):
        return jnp.array([[jnp.cos(q[2]), jnp.sin(q[2]), 0.0], [0.0, 0.0, 1.0]])


class Mass(da.MechanicalSystem):
    """A mass that is pushed."""

    space = da.Euclidean(1)
    mass = jnp.eye(1)

    def inputs(self, q):
        return jnp.ones((1, 1))


Q0, V0, END = np.zeros(3), np.array([1.0, 0.0, 0.0]), 2.0


def samples(n, end=2.5):
    times = np.linspace(0.0, end, n) ** 1.2
    return times, np.stack([np.sin(3 * times), np.cos(5 * times)], axis=1)


def exact(times, values, hold, x0=None, k=0.1):
    """The motion by SciPy, piece by piece of the table."""

    def rate(t, x, i):
        u = values[i]
        if not hold and i + 1 < len(times):
            part = (t - times[i]) / (times[i + 1] - times[i])
            u = values[i] + part * (values[i + 1] - values[i])
        c, s = np.cos(x[2]), np.sin(x[2])
        force = np.array([c * u[0] + k * np.sin(x[0]), s * u[0], u[1]])
        lam = -(x[5] * (c * x[3] + s * x[4]) + s * force[0] - c * force[1])
        return np.concatenate([x[3:], force + lam * np.array([s, -c, 0.0])])

    x = np.concatenate([Q0, V0]) if x0 is None else x0
    for i, (a, b) in enumerate(zip(times, [*times[1:], np.inf])):
        b = min(b, END)
        if b > a:
            x = solve_ivp(rate, (a, b), x, args=(i,), method="DOP853", rtol=1e-12, atol=1e-13).y[
                :, -1
            ]
    return x


@pytest.mark.parametrize("hold", [False, True], ids=["lines", "steps"])
@pytest.mark.parametrize("n", [5, 90])
def test_finding3_b3_taylor_ends_its_steps_at_the_entries(n, hold):
    times, values = samples(n)
    u = control.Table(times, values, hold)
    run = da.simulate(Cart(), da.Taylor(), Q0, V0, t=END, u=u)
    end = np.concatenate([run.q[-1], run.v[-1]])
    np.testing.assert_allclose(end, exact(times, values, hold), rtol=0, atol=2e-11)
    inner = times[(times > 0) & (times < END)]
    assert not run.warnings  # no entry can be missed between two looks
    assert np.all(np.isin(inner, run.t))  # rows where steps end: at every entry, to the last bit


@pytest.mark.parametrize("hold", [False, True], ids=["lines", "steps"])
def test_finding3_b3_long_tables_are_native(hold):
    """Straight lines cut into many pieces are the same lines: 10^5 entries agree with 6."""
    times, values = samples(6)
    many = np.unique(np.concatenate([times, np.linspace(0, times[-1], 100_000)]))
    if hold:
        fine = values[np.searchsorted(times, many, side="right") - 1]
    else:
        fine = np.stack([np.interp(many, times, x) for x in values.T], axis=1)
    few, long = control.Table(times, values, hold), control.Table(many, fine, hold)
    for method in (da.Gauss(2), da.DLA()):
        a, b = (da.simulate(Cart(), method, Q0, V0, h=0.02, steps=100, u=x) for x in (few, long))
        assert (b.meta.engine, b.meta.engine_reason) == ("native", "")
        np.testing.assert_allclose(b.q, a.q, rtol=0, atol=1e-13)
    # the code is one for all lengths, and what is traced does not see them
    (_, one), (_, other) = (as_arrays(control.driven(Cart(), x)) for x in (few, long))
    assert one == other


def test_finding3_b3_arrays_and_native_code_agree():
    """What XLA reads through a callback, and what native code reads, are the same numbers."""
    u = control.Table(*samples(200))
    run = {"h": 0.05, "steps": 10, "u": u}
    native = da.simulate(Cart(), Q0, V0, **run)
    arrays = da.simulate(Cart(), Q0, V0, engine="arrays", **run)
    assert (native.meta.engine, arrays.meta.engine) == ("native", "arrays")
    np.testing.assert_allclose(arrays.q, native.q, rtol=0, atol=1e-13)
    # before the first entry and behind the last one, as NumPy has it
    times, values = samples(7)
    held = table_lookup.held(control.Table(times, values))
    for t in (-1.0, 0.0, times[3], 1.234, times[-1], 9.0):
        wanted = [np.interp(t, times, x) for x in values.T]
        np.testing.assert_allclose(held(t), wanted, rtol=0, atol=1e-15)
        np.testing.assert_allclose(jax.jit(lambda t: held(t))(t), wanted, rtol=0, atol=1e-15)
    slope = jax.jacfwd(held)(1.234)
    i = np.searchsorted(times, 1.234)
    np.testing.assert_allclose(slope, np.diff(values, axis=0)[i - 1] / np.diff(times)[i - 1])


def test_finding3_b3_members_share_a_table_or_have_their_own():
    times, values = samples(300)
    u = control.Table(times, values)
    q0 = np.zeros((5, 3)) + np.arange(5)[:, None] * np.array([0.1, 0.2, 0.0])
    v0 = np.tile(V0, (5, 1))
    both = da.simulate_ensemble(Cart(), da.Gauss(2), q0, v0, h=0.02, steps=50, u=u)
    assert both.meta.engine == "native"
    for i in (0, 4):
        one = da.simulate(Cart(), da.Gauss(2), q0[i], v0[i], h=0.02, steps=50, u=u)
        np.testing.assert_allclose(np.ravel(both.q[i]), one.q[-1], rtol=0, atol=1e-14)
    # fewer members than a vector has places, and a table for each of them
    own = control.PerMember(
        control.Table(np.tile(times, (3, 1)), np.arange(3)[:, None, None] * values)
    )
    each = da.simulate_ensemble(Cart(), da.Gauss(2), Q0, V0, h=0.02, steps=50, u=own)
    assert each.meta.engine == "native"
    mine = control.Table(times, 2 * values)
    one = da.simulate(Cart(), da.Gauss(2), Q0, V0, h=0.02, steps=50, u=mine)
    np.testing.assert_allclose(np.ravel(each.q[2]), one.q[-1], rtol=0, atol=1e-14)


def test_finding3_b3_a_hybrid_run_and_a_report_with_a_table():
    u = control.Table(*samples(300))
    made, method = control.driven(Cart(), u), da.Gauss(2)
    plain = da.simulate(made, method, Q0, V0, h=0.02, steps=50)
    assert "energy" in str(da.diagnostics.report(made, plain))
    assert len(plain.meta.parameters["control.times"]) == 300
    wall = da.hybrid.bounce("ice", lambda q: 5.0 - q[0], restitution=0.8)  # out of reach
    modes = da.hybrid.Modes({"ice": Cart()}, wall)
    run = da.hybrid.simulate(modes, "ice", Q0, V0, method=method, h=0.02, t=1.0, u=u)
    last = run.arcs[0].trajectory
    assert last.meta.engine == "native"
    np.testing.assert_allclose(last.q[-1], plain.q[-1], rtol=0, atol=1e-13)


def test_finding3_b3_sensitivities_along_a_table():
    times, values = samples(90)
    u = control.Table(times, values)
    found = da.sensitivities(control.driven(Cart(), u), Q0, V0, t=END, parameters=("k",))
    d = 1e-4
    ends = [exact(times, values, False, k=0.1 + s) for s in (d, -d)]
    np.testing.assert_allclose(found.parameters["k"], (ends[0] - ends[1]) / (2 * d), atol=1e-6)


def test_finding3_b3_gradients_by_entries():
    """jax.grad reaches the entries of a table, long ones too."""
    times, values = samples(80)

    def reached(values):
        u, run = control.Table(times, values), {"h": 0.1, "steps": 4, "save": da.Final()}
        return jnp.ravel(da.simulate(Mass(), da.RK4(), np.zeros(1), np.ones(1), u=u, **run).q)[0]

    first = jnp.asarray(values[:, :1])
    slope = jax.grad(reached)(first)
    d = np.zeros_like(first)
    d[7, 0] = 1e-3
    wanted = (reached(first + d) - reached(first - d)) / 2e-3
    np.testing.assert_allclose(slope[7, 0], wanted, rtol=1e-7)


def test_finding3_b3_a_place_moves_with_its_array():
    """A pickle carries the numbers, and not where they lay."""
    dynamic, _ = as_arrays(control.driven(Cart(), control.Table(*samples(70))))
    place = dynamic.control.values
    other = pickle.loads(pickle.dumps(place))
    assert other[0] != place[0]
    np.testing.assert_array_equal(table_lookup.numbers_at(other[0], 140), np.ravel(samples(70)[1]))


def test_finding3_b3_a_run_with_a_table_is_taken_up_again(tmp_path, monkeypatch):
    """A store has where the table lay: one of the same numbers goes on, another does not."""
    monkeypatch.setattr("dalembert.running.single_run._FIRST_STEPS", 16)
    times, values = samples(80)
    path, run = tmp_path / "run.zarr", {"h": 0.01, "steps": 200}
    whole = da.simulate(Cart(), Q0, V0, u=control.Table(times, values), **run)
    fed = []

    class Interrupted(da.Stream):
        def feed(self, state, rows):
            fed.append(rows)
            if len(fed) == 3:
                raise KeyboardInterrupt
            return super().feed(state, rows)

    u = control.Table(times, values)
    with pytest.raises(da.SimulationError, match="interrupted"):
        da.simulate(Cart(), Q0, V0, u=u, save=Interrupted(path), **run)
    with pytest.raises(da.UsageError, match="resume it with those"):
        da.resume(path, control.driven(Cart(), control.Table(times, 2 * values)))
    da.resume(path, control.driven(Cart(), control.Table(times.copy(), values.copy())))
    np.testing.assert_array_equal(da.load(path).q, whole.q)
