"""Many members at once: the numbers of single runs, whatever the blocks, and honest reductions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import forget_native
from dalembert.errors import UsageError
from dalembert.linalg import OK
from dalembert.running.ensemble_run import block_size

QUARTIC = da.systems.ChaoticQuartic()
LEAPFROG = da.Leapfrog()
Q, V = QUARTIC.ensemble(jax.random.key(1), 70)  # more than a block
ENERGY = QUARTIC.invariants["energy"]


@pytest.fixture(scope="module")
def rows() -> da.Ensemble:
    return da.simulate_ensemble(QUARTIC, LEAPFROG, Q, V, h=0.05, steps=45, save_every=10)


def test_members_are_single_runs(rows):
    assert rows.q.shape == (70, 6, 7) and len(rows) == 70 and not rows.failed
    np.testing.assert_allclose(rows.t, 0.05 * np.array([0, 10, 20, 30, 40, 45]))
    for i in (0, 66):
        one = da.simulate(QUARTIC, LEAPFROG, Q[i], V[i], h=0.05, steps=45, save_every=10)
        mine = rows.member(i)
        for name in ("t", "q", "v", "p", "multiplier"):
            a, b = np.asarray(getattr(one, name)), np.asarray(getattr(mine, name))
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-12, err_msg=name)
        assert (mine.meta.steps, mine.meta.system) == (45, "chaotic-quartic")


def test_final_state_only(rows):
    final = da.simulate_ensemble(QUARTIC, LEAPFROG, Q, V, h=0.05, steps=45)
    np.testing.assert_array_equal(final.q[:, 0], rows.q[:, -1])
    np.testing.assert_array_equal(final.t, rows.t[-1:])
    assert np.all(final.steps_done == 45)


def test_the_same_numbers_whatever_the_devices(rows):
    """One worker or three; members in another order; fewer members."""
    one, device = {}, jax.devices()[0]
    for workers in (1, 3):
        one[workers] = da.simulate_ensemble(
            QUARTIC,
            LEAPFROG,
            Q,
            V,
            h=0.05,
            steps=45,
            save_every=10,
            keep="rows",
            reduce={"energy": da.Statistics(ENERGY)},
            devices=[device] * workers,
        )
        np.testing.assert_array_equal(one[workers].q, rows.q)
    for a, b in zip(one[1].reduced["energy"], one[3].reduced["energy"], strict=True):
        np.testing.assert_array_equal(a, b)
    turned = da.simulate_ensemble(QUARTIC, LEAPFROG, Q[::-1], V[::-1], h=0.05, steps=45)
    np.testing.assert_array_equal(turned.q[::-1, 0], rows.q[:, -1])


def test_reductions_are_those_of_the_rows():
    def x(q, v):
        return q[0]

    kinds = {
        "members": da.Statistics(ENERGY),
        "time": da.Statistics(ENERGY, over="time"),
        "histogram": da.Histogram(x, np.linspace(-1, 1, 9)),
        "section": da.Section(x, [lambda q, v: q[1], lambda q, v: v[0]]),
    }
    options = {"h": 0.05, "steps": 300, "save_every": 1}
    found = da.simulate_ensemble(QUARTIC, LEAPFROG, Q, V, **options, keep="rows", reduce=kinds)
    energy = np.asarray(jax.vmap(jax.vmap(ENERGY))(found.q, found.v))
    for name, axis in (("members", 0), ("time", 1)):
        stats = found.reduced[name]
        np.testing.assert_allclose(stats.mean, energy.mean(axis=axis), rtol=1e-14)
        np.testing.assert_allclose(stats.variance, energy.var(axis=axis), rtol=1e-6, atol=1e-28)
        # another compiler evaluates the energy here: its last bit may differ
        np.testing.assert_allclose(stats.least, energy.min(axis=axis), rtol=1e-15)
        np.testing.assert_allclose(stats.greatest, energy.max(axis=axis), rtol=1e-15)
    np.testing.assert_allclose(found.reduced["members"].t, 0.05 * np.arange(301))
    counted = found.reduced["histogram"]
    np.testing.assert_array_equal(counted.counts, np.histogram(found.q[..., 0], counted.edges)[0])
    assert counted.counts.sum() + counted.below + counted.above == 70 * 301
    cross = found.reduced["section"]
    q0 = found.q[..., 0]
    member, row = np.nonzero((q0[:, :-1] < 0) & (q0[:, 1:] >= 0))
    np.testing.assert_array_equal(cross.member, member)
    # the root is that of a step of another size, from the row before it
    assert np.all((cross.t > 0.05 * row) & (cross.t <= 0.05 * (row + 1)))
    for i in (0, len(row) // 2, len(row) - 1):
        m, k = member[i], row[i]
        start = found.q[m, k], found.v[m, k]
        there = da.simulate(QUARTIC, LEAPFROG, *start, h=cross.t[i] - 0.05 * k, steps=1).final
        assert abs(there.q[0]) < 1e-13
        np.testing.assert_allclose(cross.values[i], [there.q[1], there.v[0]], atol=1e-12)
    assert np.all(cross.values[:, 1] > 0)  # x grows where it crosses


def test_over_parameters():
    a = jnp.linspace(0.1, 0.4, 5)
    sleighs = da.systems.ChaplyginSleigh(a=a)
    many = da.simulate_ensemble(sleighs, da.GNI(), h=0.05, steps=60, save_every=20)
    assert many.q.shape == (5, 4, 3)
    for i in (0, 4):
        one = da.simulate(
            da.systems.ChaplyginSleigh(a=float(a[i])), da.GNI(), h=0.05, steps=60, save_every=20
        )
        np.testing.assert_allclose(many.q[i], one.q, rtol=0, atol=1e-12)


class Falling(da.MechanicalSystem):
    """x'' = 3 x^2 reaches infinity in a finite time that depends on the start."""

    space = da.Euclidean(1)
    mass = jnp.eye(1)

    def potential(self, q):
        return -(q[0] ** 3)


def test_a_failed_member_is_named_and_the_others_go_on():
    q = jnp.array([[0.01], [1.0], [0.02], [0.0]])
    v = jnp.array([[0.0], [np.sqrt(2.0)], [0.0], [0.0]])
    found = da.simulate_ensemble(
        Falling(),
        da.RK4(),
        q,
        v,
        h=0.1,
        steps=100,
        save_every=1,
        keep="rows",
        reduce={"x": da.Statistics(lambda q, v: q[0])},
    )
    with pytest.raises(da.SimulationError) as single:
        da.simulate(Falling(), da.RK4(), q[1], v[1], h=0.1, steps=100)
    assert list(found.failed) == [1]
    assert f"not a number at step {single.value.step}, t =" in found.failed[1]
    assert len(found.member(1)) == single.value.step and len(found.member(0)) == 101
    assert np.all(np.isnan(found.q[1, single.value.step :]))
    assert np.all(np.isfinite(found.q[[0, 2, 3]]))
    counts = found.reduced["x"].count
    assert counts[0] == 4 and counts[-1] == 3
    assert np.all(np.isfinite(found.reduced["x"].mean))


def test_many_members_are_those_of_few_by_larger_blocks():
    sizes = {n: block_size(n, on_cpu=True) for n in (5, 70, 4096, 10**6)}
    assert sizes == {5: 16, 70: 64, 4096: 128, 10**6: 1024}
    q, v = QUARTIC.ensemble(jax.random.key(3), 4100)  # no whole blocks
    run = {"h": 0.05, "steps": 5}
    many = da.simulate_ensemble(QUARTIC, LEAPFROG, q, v, **run)
    few = da.simulate_ensemble(QUARTIC, LEAPFROG, q[-20:], v[-20:], **run)
    np.testing.assert_array_equal(many.q[-20:], few.q)
    assert many.result.shape == (4100,) and np.all(many.result == OK)


def test_large_steps_use_arrays(monkeypatch):
    """Above the limit of scalar code the same run works on arrays."""
    few = da.simulate_ensemble(QUARTIC, LEAPFROG, Q[:9], V[:9], h=0.05, steps=20)
    monkeypatch.setattr("dalembert.compile.ir.tape.LARGEST", -1)
    forget_native()
    plain = da.simulate_ensemble(QUARTIC, LEAPFROG, Q[:9], V[:9], h=0.05, steps=20)
    forget_native()
    np.testing.assert_allclose(few.q, plain.q, rtol=0, atol=1e-13)
    assert np.all(few.result == OK)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"q0": Q[0], "v0": V[0]}, "no ensemble"),
        ({"q0": Q[:3], "v0": V[:4]}, "members differs: v0 has 4, q0 has 3"),
        ({"v0": None}, "give both q0 and v0"),
        (
            {"v0": V + jnp.ones((1, 7))},
            r"v0 is not .* \(members 0, 1, 2, 3, 4, ... of 70\)",
        ),
        ({"keep": "everything"}, "keep must be"),
        ({"reduce": {"x": ENERGY}}, "must be a sink such as"),
        ({"h": -1.0}, "h must be"),
        ({"q0": Q[:, :5]}, "q0"),
        ({"q0": Q + 1j}, "q0 must be real"),
        ({"v0": V.at[3, 2].set(jnp.nan)}, r"v0: entries must be finite, but the one at \[3, 2\]"),
        ({"reduce": da.Statistics(ENERGY)}, "names and reductions"),
        ({"reduce": {"x": da.Statistics(lambda q, v: q)}}, r"one number, got \(7,\)"),
        ({"reduce": {"x": da.Statistics(lambda q: q[0])}}, r"takes \(q, v\)"),
        ({"reduce": {"x": da.Histogram(ENERGY, [0, 1])}}, "needs `every`"),
        ({"devices": []}, "devices must be"),
    ],
)
def test_misuse(change, message):
    given = {"q0": Q, "v0": V, "h": 0.05, "steps": 5} | change
    with pytest.raises(UsageError, match=message):
        da.simulate_ensemble(QUARTIC, LEAPFROG, **given)


def test_points_that_are_none_of_the_space_are_refused():
    """As `simulate` refuses a matrix that is no rotation, with the member."""
    ball = da.systems.ChaplyginBall()
    q, v = jax.tree.map(lambda x: np.array([x] * 3), ball.initial())
    leaf = next(x for x in jax.tree.leaves(q) if x.ndim == 3)
    leaf[1, 0, 0] += 0.1
    with pytest.raises(UsageError, match=r"rotation.*\(member 1 of 3\)"):
        da.simulate_ensemble(ball, da.RK4(), q, v, h=0.1, steps=2)


def test_misuse_of_reductions():
    with pytest.raises(UsageError, match="over must be"):
        da.Statistics(ENERGY, over="space")
    with pytest.raises(UsageError, match="increasing"):
        da.Histogram(ENERGY, [1.0, 1.0])
    with pytest.raises(UsageError, match="list of functions"):
        da.Section(ENERGY, ENERGY)
    with pytest.raises(UsageError, match="direction"):
        da.Section(ENERGY, [ENERGY], direction=2)
    with pytest.raises(UsageError, match="outside of jit"):
        jax.jit(lambda h: da.simulate_ensemble(QUARTIC, LEAPFROG, Q, V, h=h, steps=5).q)(0.1)


def test_observables_that_are_methods_of_a_system_with_arrays():
    ball = da.systems.ChaplyginBall()
    q, v = (jax.tree.map(lambda x: jnp.stack([x] * 3), y) for y in ball.initial())
    found = da.simulate_ensemble(
        ball,
        da.GNI(),
        q,
        v,
        h=0.02,
        steps=3,
        reduce={"energy": da.Statistics(ball.moving_energy)},
    )
    assert np.ptp(found.reduced["energy"].mean) < 1e-5
