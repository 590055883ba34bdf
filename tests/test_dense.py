"""A trajectory between its rows: orders, groups, what is refused."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.results import Meta, Trajectory
from dalembert.results.spaces import space_from_json, space_to_json


def _orders(errors):
    errors = np.asarray(errors)
    return np.log2(errors[:-1] / errors[1:])


# -- with a method -------------------------------------------------------------------------------

TIMES = np.linspace(0.2, 7.8, 23)


def _sleigh_errors(stages, look, numbers=(32, 64, 128)):
    """Largest errors of q and of v between rows, one for each number of steps in T = 8."""
    sleigh = da.systems.ChaplyginSleigh()
    fine = da.simulate(sleigh, da.Gauss(4), h=8.0 / 1024, steps=1024).at(TIMES)
    found = []
    for n in numbers:
        q, v = look(da.simulate(sleigh, da.Gauss(stages), h=8.0 / n, steps=n))
        found.append((np.abs(q - fine.q).max(), np.abs(v - fine.v).max()))
    return np.array(found)


def _at(traj):
    found = traj.at(TIMES)
    return found.q, found.v


def _by_lines(traj):
    return (
        np.stack([np.interp(TIMES, traj.t, x) for x in np.asarray(a).T], 1)
        for a in (traj.q, traj.v)
    )


def test_the_order_of_the_method_is_kept_between_rows():
    six = _sleigh_errors(3, _at)
    for column in six.T:
        assert np.all(np.abs(_orders(column) - 6) < 0.1), six
    eight = _sleigh_errors(4, _at)  # above 6 the interpolation may limit it, and v first
    assert _orders(eight[:, 0])[-1] > 7.5 and _orders(eight[:, 1])[-1] > 6.5


def test_lines_between_rows_are_of_order_two():
    errors = _sleigh_errors(3, _by_lines)
    assert np.all(np.abs(_orders(errors[:, 0]) - 2) < 0.2)
    assert np.all(errors > 1e3 * _sleigh_errors(3, _at))


def test_rows_that_were_not_kept():
    sleigh = da.systems.ChaplyginSleigh()
    whole = da.simulate(sleigh, da.Gauss(3), h=8.0 / 128, steps=128)
    some = da.simulate(sleigh, da.Gauss(3), h=8.0 / 128, steps=128, save_every=2)
    a, b = whole.at(whole.t), some.at(whole.t)
    np.testing.assert_array_equal(a.q, whole.q)  # at rows the rows
    np.testing.assert_array_equal(a.v, whole.v)
    np.testing.assert_allclose(b.q, whole.q, rtol=0, atol=1e-7)
    residual = jax.vmap(lambda q, v: da.dynamics.constraint_residual(sleigh, q, v))(b.q, b.v)
    assert np.abs(residual).max() < 1e-6


# -- on every space, with the motion in closed form: the order of the interpolation alone -------

SO3 = da.SO(3)
A, B = np.array([0.4, -0.7, 0.5]), np.array([0.6, 0.3, -0.8])


def _rotation(t):
    return SO3.mul(SO3.exp(t * A), SO3.exp(jnp.sin(2.0 * t) * B))


def _spin(t):
    rate = jax.jvp(_rotation, (t,), (jnp.ones(()),))[1]
    return SO3.vee(_rotation(t).T @ rate)


def _place(t):
    return jnp.array([jnp.sin(1.7 * t), jnp.exp(jnp.cos(t))])


def _slide(t):
    return jax.jvp(_place, (t,), (jnp.ones(()),))[1]


SPACES = {
    "R^2 x SO(3)": (
        da.Product(da.Euclidean(2), SO3),
        lambda t: ((_place(t), _rotation(t)), jnp.concatenate([_slide(t), _spin(t)]), None),
    ),
    "R^2 x SO(3), exp": (
        da.Pair(da.Product(da.Euclidean(2), SO3), tau="exp"),
        lambda t: ((_place(t), _rotation(t)), jnp.concatenate([_slide(t), _spin(t)]), None),
    ),
    "SO(3) over a point": (
        da.LieGroup(SO3),
        lambda t: (jnp.zeros(0), _spin(t), _rotation(t)),
    ),
    "R^2 with SO(3) reduced": (
        da.Reduced(da.Euclidean(2), SO3),
        lambda t: (_place(t), jnp.concatenate([_slide(t), _spin(t)]), _rotation(t)),
    ),
}


def _made(space, motion, t):
    q, v, frame = jax.tree.map(np.asarray, jax.vmap(motion)(jnp.asarray(t)))
    none = np.zeros((len(t), 0))
    meta = Meta(space=repr(space), space_json=space_to_json(space))
    return Trajectory(np.asarray(t), q, v, v, none, frame, 0 * t, np.zeros(len(t), int), meta)


@pytest.mark.parametrize("name", SPACES)
def test_on_groups_and_reduced_spaces(name):
    space, motion = SPACES[name]
    look = np.linspace(0.05, 1.95, 40)
    exact = _made(space, motion, look)
    errors = []
    for n in (24, 48):
        found = _made(space, motion, np.linspace(0.0, 2.0, n + 1)).at(look)
        places = zip(
            jax.tree.leaves((found.q, found.frame)), jax.tree.leaves((exact.q, exact.frame))
        )
        errors.append(
            (max(np.abs(a - b).max() for a, b in places if a.size), np.abs(found.v - exact.v).max())
        )
    assert np.all(_orders(errors)[0] > (7.5, 6.5)), errors
    R = found.frame if found.frame is not None else found.q[1]
    assert np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max() < 1e-14


def test_steps_that_vary_and_a_short_last_one():
    space, motion = SPACES["R^2 x SO(3)"]
    s = np.linspace(0.0, 1.0, 49)
    t = 2.0 * (s + 0.1 * np.sin(2 * np.pi * s))
    look = np.linspace(0.0, 2.0, 33)
    exact = _made(space, motion, look)
    for more in (1e-15, 1e-9, 1e-2):
        found = _made(space, motion, np.append(t, t[-1] * (1 + more))).at(look)
        assert np.abs(found.q[1] - exact.q[1]).max() < 1e-8
        assert np.abs(found.v - exact.v).max() < 1e-6


def test_far_from_the_origin_nothing_is_lost():
    def motion(t):
        return 1e9 + jnp.array([jnp.sin(t)]), jnp.array([jnp.cos(t)]), None

    found = _made(da.Euclidean(1), motion, np.linspace(0, 2, 21)).at(0.77)
    assert found.q.shape == (1,) and found.v.shape == (1,)
    assert abs(found.q[0] - 1e9 - np.sin(0.77)) < 3e-7  # of the numbers around 1e9
    assert abs(found.v[0] - np.cos(0.77)) < 1e-5


# -- what is refused -----------------------------------------------------------------------------


def test_what_is_refused_says_what_to_do(tmp_path):
    sleigh = da.systems.ChaplyginSleigh()
    traj = da.simulate(sleigh, da.Gauss(3), h=8.0 / 128, steps=128)
    with pytest.raises(da.UsageError, match=r"t = 9 is outside .* t = 0 to 8"):
        traj.at([1.0, 9.0])
    with pytest.raises(da.UsageError, match=r"t = nan is outside"):
        traj.at(float("nan"))
    with pytest.raises(da.UsageError, match=r"at least 4 rows, and this trajectory has 3"):
        traj[:3].at(0.1)
    with pytest.raises(da.UsageError, match=r"at least 4 rows"):
        traj.final.at(8.0)
    with pytest.raises(da.UsageError, match="outside of jit"):
        jax.jit(lambda t: traj.at(t).q)(1.0)
    with pytest.raises(da.UsageError, match="needs times"):
        traj.at("soon")
    torus = dataclasses.replace(traj.meta, space="Torus(2)", space_json="")
    own = dataclasses.replace(traj, meta=torus)
    with pytest.raises(da.UsageError, match=r"Torus\(2\), is not in the library.*at\(t, system"):
        own.at(1.0)
    np.testing.assert_array_equal(own.at(1.03, sleigh).q, traj.at(1.03).q)
    traj.save(tmp_path / "run.nc")
    np.testing.assert_array_equal(da.load(tmp_path / "run.nc").at(1.03).q, traj.at(1.03).q)
    assert traj.at(np.zeros((2, 3))).q.shape == (2, 3, 3)


# -- spaces as JSON ------------------------------------------------------------------------------

FORM = da.Quadratic([[2.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.5, -1.0]])
GROUPS = [da.Euclidean(2), da.SO(2), da.SO(3), da.SO(4), da.SE(2), da.SE(3), da.Sp(4), FORM]
DESCRIBED = [
    *GROUPS,
    da.Lorentz(1, 3),
    da.Product(da.Euclidean(3), da.Product(da.SO(3), da.SE(2))),
    *(f(G, tau) for f in (da.Pair, da.LieGroup) for G in GROUPS[:3] for tau in ("cay", "exp")),
    da.Reduced(da.Euclidean(2), da.SO(3), "exp"),
]


@pytest.mark.parametrize("space", DESCRIBED, ids=repr)
def test_a_description_makes_the_space_again(space):
    assert space_from_json(space_to_json(space)) == space


class Circles(type(da.Euclidean(2))):
    """A space of one's own that prints itself as one of the library."""

    def __repr__(self):
        return "Euclidean(2)"


def test_a_space_is_not_known_by_what_it_prints(tmp_path):
    for own in (Circles(2), da.Product(da.SO(3), Circles(2)), da.Pair(Circles(2))):
        assert space_to_json(own) == ""
    assert Meta.from_dict({"space": "__import__('os').getcwd()"}).space_json == ""
    older = Meta.from_dict({"space": "Pair(space=Product(Euclidean(1), Sp(2)), tau='exp')"})
    space = da.Pair(da.Product(da.Euclidean(1), da.Sp(2)), "exp")
    assert space_from_json(older.space_json) == space

    def motion(t):
        return FORM.exp(0.1 * t * jnp.ones(3)), 0.1 * jnp.ones(3), None

    times = np.linspace(0.0, 1.0, 9)
    traj = _made(FORM, motion, times)  # its text is not that of a call with numbers
    traj.save(tmp_path / "run.nc")
    found = da.load(tmp_path / "run.nc").at(0.33)
    np.testing.assert_allclose(found.q, motion(0.33)[0], rtol=1e-12)
