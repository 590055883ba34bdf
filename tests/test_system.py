"""What a user writes: parameters, their checks, and how a system travels through JAX."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import UsageError, dynamics
from dalembert.system import as_arrays, parameter


class Sleigh(da.System):
    """Documented parameters with checks, plain annotated fields, and a whole number."""

    m: float = parameter(1.0, "kg", "mass", positive=True)
    drag: float = parameter(0.0, "kg/s", "friction", nonnegative=True)
    center: jax.Array = parameter((0.1, 0.2), "m", "center of mass", shape=(2,))
    J: float = 1.0
    power: int = eqx.field(default=2)
    label: str = eqx.field(default="plain", static=True)

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * self.m * (v[0] ** 2 + v[1] ** 2) + 0.5 * self.J * v[2] ** self.power

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])


class Masses(da.MechanicalSystem):
    mass: jax.Array = parameter(((2.0, 0.5), (0.5, 1.0)), "kg", shape=(2, 2))
    k: float = parameter(1.0)

    space = da.Euclidean(2)

    def potential(self, q):
        return 0.5 * self.k * q @ q


# -- parameters --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values, message",
    [
        ({"m": 0.0}, r"Sleigh: parameter 'm' must be positive, got 0\.0"),
        ({"m": -1}, r"Sleigh: parameter 'm' must be positive, got -1\.0"),
        ({"drag": -1e-3}, r"Sleigh: parameter 'drag' must not be negative, got -0\.001"),
        ({"m": float("nan")}, r"Sleigh: parameter 'm' must be finite, got nan"),
        ({"m": float("inf")}, r"Sleigh: parameter 'm' must be finite, got inf"),
        ({"m": "heavy"}, r"Sleigh: parameter 'm' must be a real number, got 'heavy'"),
        ({"m": None}, r"Sleigh: parameter 'm' must be a real number, got None"),
        ({"m": 1 + 2j}, r"Sleigh: parameter 'm' must be a real number, got \(1\+2j\)"),
        ({"m": [[1.0, 2.0]]}, r"Sleigh: parameter 'm' must have shape \(\), got \(1, 2\)"),
        ({"center": 1.0}, r"Sleigh: parameter 'center' must have shape \(2,\), got \(\)"),
        ({"center": [1, 2, 3]}, r"Sleigh: parameter 'center' must have shape \(2,\), got \(3,\)"),
        ({"center": [1, np.inf]}, r"Sleigh: parameter 'center' must be finite"),
    ],
)
def test_bad_parameters_are_told(values, message):
    with pytest.raises(UsageError, match=message):
        Sleigh(**values)
    with pytest.raises(UsageError, match=message):
        Sleigh().with_parameters(**values)


def test_boundary_values_are_accepted():
    assert Sleigh(drag=0.0).drag == 0.0
    assert Sleigh(m=np.float32(0.5)).m == 0.5
    assert isinstance(Sleigh(m=1).m, float)
    assert Sleigh(center=[3, 4]).center.dtype == jnp.float64


def test_with_parameters():
    first = Sleigh(m=2.0)
    second = first.with_parameters(J=3.0)
    assert (second.m, second.J, first.J) == (2.0, 3.0, 1.0)
    with pytest.raises(UsageError, match=r"unknown parameter of sleigh 'dragg'; did you mean drag"):
        first.with_parameters(dragg=1.0)
    with pytest.raises(UsageError, match=r"'zzz'; known: J, center, drag, label, m, power"):
        first.with_parameters(zzz=1.0)


def test_parameter_tables():
    assert Sleigh(m=2).parameters() == {
        "m": 2.0,
        "drag": 0.0,
        "center": [0.1, 0.2],
        "J": 1.0,
        "power": 2,
        "label": "plain",
    }
    rows = Sleigh.parameter_table()
    assert rows[0] == ("m", 1.0, "kg", "mass")
    assert rows[3] == ("J", 1.0, "1", "")


def test_a_system_is_immutable():
    with pytest.raises(AttributeError):
        Sleigh().m = 2.0


@pytest.mark.parametrize(
    "name, kebab",
    [
        ("ChaplyginSleigh", "chaplygin-sleigh"),
        ("SE2Robot", "se2-robot"),
        ("SuslovSoN", "suslov-so-n"),
        ("MPSystem", "mp-system"),
        ("Benenti", "benenti"),
    ],
)
def test_name(name, kebab):
    assert type(name, (Masses,), {}).name() == kebab


# -- definitions that cannot work --------------------------------------------------------------


def test_mechanical_system_needs_a_mass():
    class Massless(da.MechanicalSystem):
        space = da.Euclidean(2)

    with pytest.raises(UsageError, match="Massless must define `mass`, a constant matrix"):
        Massless()


def test_mechanical_system_refuses_a_lagrangian():
    """It would be ignored wherever the mass matrix is used."""

    class Magnetic(Masses):
        def lagrangian(self, q, v):
            return super().lagrangian(q, v) + q[0] * v[1]

    with pytest.raises(UsageError, match="Magnetic must not define `lagrangian` beside `mass`"):
        Magnetic()


def test_lagrangian_is_required():
    class Nothing(da.System):
        space = da.Euclidean(2)

    with pytest.raises(TypeError, match="lagrangian"):
        Nothing()


@pytest.mark.parametrize("space", [None, 3, da.Euclidean])
def test_space_is_required(space):
    class Nowhere(da.System):
        def lagrangian(self, q, v):
            return v @ v

    if space is not None:
        Nowhere.space = space
    with pytest.raises(UsageError, match=r"Nowhere must define `space`, a group such as Euclid"):
        Nowhere()


def test_no_initial_data():
    with pytest.raises(UsageError, match="Sleigh has no default initial data: give q0 and v0"):
        Sleigh().initial()


# -- facts -------------------------------------------------------------------------------------


def test_kinds_are_known_from_what_is_written():
    class Full(Sleigh):
        def offset(self, t, q):
            return jnp.ones(1)

        def force(self, t, q, v):
            return -v

        def holonomic(self, q):
            return q[:1]

        def velocity_constraint(self, t, q, v):
            return v[:1] ** 2

    kinds = ("is_constrained", "has_offset", "has_force", "has_holonomic", "is_nonlinear")
    assert [getattr(Masses(), k) for k in kinds] == [False] * 5
    assert [getattr(Sleigh(), k) for k in kinds] == [True] + [False] * 4
    assert [getattr(Full(), k) for k in kinds] == [True] * 5
    assert (Masses().dim, Sleigh().dim) == (2, 3)
    assert Sleigh().groupoid == da.Pair(da.Euclidean(3))


def test_defaults_have_the_right_shapes():
    system, q, v, t = Masses(), jnp.ones(2), jnp.ones(2), jnp.zeros(())
    assert system.constraint(q).shape == (0, 2)
    assert system.offset(t, q).shape == system.holonomic(q).shape == (0,)
    assert system.velocity_constraint(t, q, v).shape == (0,)
    assert system.force(t, q, v).shape == (2,)
    assert Sleigh().offset(t, jnp.ones(3)).shape == (1,)
    np.testing.assert_array_equal(system.path(q), q)


def test_mechanical_lagrangian():
    q, v = np.array([0.3, -0.2]), np.array([1.5, 0.7])
    system = Masses(k=3.0)
    expected = 0.5 * v @ np.array([[2.0, 0.5], [0.5, 1.0]]) @ v - 1.5 * q @ q
    np.testing.assert_allclose(system.lagrangian(q, v), expected, rtol=1e-15)


# -- through JAX -------------------------------------------------------------------------------


def test_as_arrays_splits_parameters_from_the_rest():
    dynamic, static = as_arrays(Sleigh(m=3, J=2))
    leaves = {
        "m": (dynamic.m, static.m),
        "J": (dynamic.J, static.J),  # a whole number in a field annotated float
        "center": (dynamic.center, static.center),
    }
    for traced, rest in leaves.values():
        assert (
            isinstance(traced, np.ndarray | jax.Array)
            and traced.dtype == jnp.float64
            and rest is None
        )
    assert dynamic.power is None and static.power == 2 and static.label == "plain"
    together = eqx.combine(dynamic, static)
    assert together.parameters() == Sleigh(m=3, J=2).parameters()
    # what is static must be a key of the compilation cache
    same = as_arrays(Sleigh(m=7.5, J=1.25))[1]
    assert static == same and hash(static) == hash(same)
    assert as_arrays(Sleigh(power=3))[1] != static
    assert as_arrays(Sleigh(label="other"))[1] != static


def test_arrays_of_whole_numbers_are_traced():
    """NumPy arrays are no keys of a cache."""

    class Graph(da.System):
        edges: np.ndarray = eqx.field(default_factory=lambda: np.array([[0, 1]]))
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v - (q[self.edges[0, 0]] - q[self.edges[0, 1]]) ** 2

    dynamic, static = as_arrays(Graph())
    hash(static)
    assert dynamic.edges.dtype == jnp.int64
    assert eqx.combine(dynamic, static).lagrangian(jnp.arange(2.0), jnp.zeros(2)) == -1.0


def test_vmap_and_grad_over_parameters():
    q, v = jnp.array([0.3, -0.2]), jnp.array([1.5, 0.7])
    k = jnp.array([0.5, 1.0, 4.0])
    energies = jax.vmap(lambda k: dynamics.energy(Masses(k=k), q, v))(k)
    for value, expected in zip(energies, (dynamics.energy(Masses(k=float(x)), q, v) for x in k)):
        np.testing.assert_allclose(value, expected, rtol=1e-15)
    # a batch of systems, made at once, carries one more axis in its parameters
    batch = Masses(k=k)
    axes = eqx.tree_at(lambda s: (s.mass, s.k), batch, (None, 0))
    again = jax.vmap(lambda s: dynamics.energy(s, q, v), in_axes=(axes,))(batch)
    np.testing.assert_array_equal(again, energies)
    slope = jax.grad(lambda s: dynamics.energy(s, q, v))(Masses())
    np.testing.assert_allclose(slope.k, 0.5 * q @ q, rtol=1e-15)
    np.testing.assert_allclose(slope.mass, 0.5 * np.outer(v, v), rtol=1e-15)


def test_misspelt_hooks_are_refused():
    with pytest.raises(UsageError, match=r"constraints would never be called.*`constraint`"):

        class Misspelt(da.System):
            space = da.Euclidean(2)

            def lagrangian(self, q, v):
                return v @ v

            def constraints(self, q):
                return jnp.ones((1, 2))


def test_hooks_with_wrong_arguments_are_refused():
    with pytest.raises(UsageError, match=r"must be force\(self, t, q, v\); it is force\(self, q"):

        class Wrong(da.System):
            space = da.Euclidean(2)

            def lagrangian(self, q, v):
                return v @ v

            def force(self, q, v):
                return v


def test_default_names():
    class Named(da.System):
        space = da.Euclidean(2)
        coordinate_names = ("x", "y")

        def lagrangian(self, q, v):
            return v @ v

    class Nameless(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return v @ v

    assert Named().velocity_labels == ("x_dot", "y_dot")
    assert Nameless().coordinate_labels == ("q0", "q1")
    assert Nameless().velocity_labels == ("v0", "v1")
