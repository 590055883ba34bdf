"""Invariant measures of systems that are not declared Chaplygin: the answers of the literature."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import SO, Euclidean, Product, dynamics, geometry, groupoids
from dalembert.geometry import phase_measure


def about_the_ground(q):
    """Shifts along the ground and turns about the vertical, of a body on R^3 x SO(3)."""
    up = jnp.array([0.0, 0.0, 1.0])
    turn = jnp.concatenate([jnp.cross(up, q[0]), q[1].T @ up])
    return jnp.concatenate([jnp.eye(6)[:, :2], turn[:, None]], axis=1)


SHIFTS = geometry.Symmetry.from_fields(lambda q: jnp.eye(5)[:, :2], "shifts")
GROUND = geometry.Symmetry.from_fields(about_the_ground, "SE(2)")


def modulo(system, name):
    return phase_measure(system, geometry.Symmetry.of(system, name))


def drift(system, q):
    """The velocity of least energy with A v = b."""
    if not system.has_offset:
        return jnp.zeros(system.dim)
    rows = dynamics.linear_constraint(system, q)
    raised = jnp.linalg.solve(dynamics.metric(system, q), rows.T)
    b = dynamics.linear_offset(system, jnp.zeros(()), q)
    return raised @ jnp.linalg.solve(rows @ raised, b)


def divergence(system, q, v, density):
    """Rate of the metric's volume on D times a density, by differentiating the flow, and sizes."""
    n, groupoid = system.dim, system.groupoid
    frame = geometry.local_frame(system, q)
    y0 = jnp.linalg.lstsq(frame(q), v - drift(system, q))[0]

    def flow(z):
        x, y = groupoids.move(groupoid, q, z[:n]), z[n:]
        X, G = frame(x), dynamics.metric(system, x)
        u = X @ y + drift(system, x)
        moved = groupoids.directional(groupoid, lambda p: frame(p) @ y + drift(system, p), x, u)
        a = dynamics.acceleration(system, x, u) - moved
        rate = jnp.linalg.solve(X.T @ G @ X, X.T @ G @ a)
        return jnp.concatenate([groupoid.coordinate_velocity(q, z[:n], u), rate])

    def volume(z):
        x = groupoids.move(groupoid, q, z[:n])
        X, G = frame(x), dynamics.metric(system, x)
        half = jnp.linalg.slogdet(G)[1] + jnp.linalg.slogdet(X.T @ G @ X)[1]
        return 0.5 * half + jnp.log(density(x))

    z = jnp.concatenate([jnp.zeros(n), y0])
    slope, along = jax.jacfwd(flow)(z), jax.jacfwd(volume)(z) * flow(z)
    # in an orthonormal frame all terms may vanish: then the speed is the size
    size = jnp.sum(jnp.abs(jnp.diagonal(slope))) + jnp.sum(jnp.abs(along)) + jnp.linalg.norm(v)
    return float(jnp.trace(slope) + jnp.sum(along)), float(size)


def grows(system, q, v, density):
    rate, size = divergence(system, q, v, density)
    return abs(rate) / size


def test_suslov_has_a_measure_only_for_a_principal_axis():
    assert phase_measure(da.systems.Suslov()).verdict == "no"  # Kozlov 1988
    assert phase_measure(da.systems.Suslov(a=jnp.array([0.0, 0.0, 1.0]))).verdict == "yes"


@pytest.mark.parametrize(("a", "verdict"), [(0.2, "no"), (0.0, "yes")])
def test_the_reduced_sleigh(a, verdict):
    assert modulo(da.systems.ChaplyginSleigh(a=a), "se2").verdict == verdict


class Veselova(da.System):
    """A body with no spin about the vertical, written on SO(3)."""

    inertia: tuple = eqx.field(static=True, default=(1.0, 1.5, 2.2))
    space = SO(3)

    def lagrangian(self, q, v):
        return 0.5 * jnp.asarray(self.inertia) @ v**2

    def constraint(self, q):
        return q[2][None]

    def initial(self):
        R = SO(3).exp(jnp.array([0.3, -0.5, 0.2]))
        return R, dynamics.consistent_velocity(self, R, jnp.array([0.5, 0.2, -0.4]))


def test_veselova_has_the_density_of_the_literature():
    # sqrt(gamma . I^-1 gamma) of dOmega dgamma (Veselov, Veselova 1988). The metric's area of the
    # plane gamma . Omega = 0 is sqrt(det I gamma . I^-1 gamma) times the plain one: density 1
    system = Veselova()
    found = phase_measure(system)
    R1 = SO(3).exp(jnp.array([0.1, 0.6, -0.3]))
    assert found.verdict == "yes" and np.isclose(found.density(R1), 1.0, atol=1e-9)
    q, v = system.initial()
    assert grows(system, q, v, lambda x: jnp.ones(())) < 1e-12
    square = lambda R: jnp.sum(R[2] ** 2 / jnp.asarray(system.inertia))
    assert grows(system, q, v, square) > 1e-3


def test_routh_sphere_has_a_measure():
    assert phase_measure(da.systems.RouthSphere(), GROUND).verdict == "yes"


def test_a_rattleback_has_none():
    found = phase_measure(da.systems.Rattleback(), GROUND)
    assert found.verdict == "no" and not found.kinetic
    assert found.steady is not None and abs(found.steady.share) > 1e-3


@pytest.mark.parametrize(("axes", "verdict"), [((0.3, 0.3, 0.2), "yes"), ((0.3, 0.25, 0.2), "no")])
def test_ellipsoids(axes, verdict):
    a, b, c = axes
    system = da.systems.RollingEllipsoid(a=a, b=b, c=c, g=0.0)
    assert phase_measure(system, GROUND).verdict == verdict


@pytest.mark.parametrize(
    ("off", "inertia", "verdict"),
    [(0.0, (1.0, 0.5, 0.7), "yes"), (0.2, (1.0, 1.0, 0.7), "yes"), (0.2, (1.0, 0.5, 0.7), "no")],
)
def test_chaplygin_ball_and_top(off, inertia, verdict):
    # a measure exactly if balanced or axially symmetric
    assert phase_measure(Top(off=off, inertia=inertia), SHIFTS).verdict == verdict


class Top(da.System):
    """A ball on a table, its center of mass off its center along the third axis, no weight."""

    off: float
    inertia: tuple = eqx.field(static=True)
    space = Product(Euclidean(2), SO(3))

    def lagrangian(self, q, v):
        lever = self.off * jnp.array([0.0, 0.0, 1.0])
        speed = jnp.append(v[:2], 0.0) + q[1] @ jnp.cross(v[2:], lever)
        return speed @ speed + 0.5 * jnp.asarray(self.inertia) @ v[2:] ** 2

    def constraint(self, q):
        return jnp.concatenate([jnp.eye(2), jnp.stack([-q[1][1], q[1][0]])], axis=1)

    def initial(self):
        q = (jnp.zeros(2), SO(3).exp(jnp.array([0.3, -0.5, 0.2])))
        return q, dynamics.consistent_velocity(self, q, jnp.array([0.1, 0.3, 0.5, 0.2, -0.4]))


def test_the_particle_agrees_with_its_reduction():
    system = da.systems.NonholonomicParticle()
    found = modulo(system, "z")
    assert found.verdict == "yes"
    q, v = jnp.array([0.2, 0.7, -0.1]), jnp.array([0.5, 0.3, 0.35])
    assert grows(system, q, v, found.density) < 1e-12
    assert modulo(da.systems.ParticleWithoutMeasure(), "z").verdict == "no"


def test_what_does_not_apply_says_so():
    class Dragged(da.systems.NonholonomicParticle):
        def force(self, t, q, v):
            return -0.1 * v

    found = phase_measure(Dragged())
    assert found.verdict == "does not apply" and "force" in found.reason
    assert phase_measure(da.systems.Benenti()).verdict == "does not apply"
    with pytest.raises(da.UsageError, match="already reduced"):
        phase_measure(da.systems.Suslov(), GROUND)


# -- affine constraints --------------------------------------------------------------------------


class Belt(da.System):
    """z' = y x' + g(q) on a metric that changes: the drift changes the volume."""

    space = Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + 0.2 * jnp.sin(q[0]) * v[1] ** 2 + 0.3 * v[0] * q[1] - 0.4 * q[2] ** 2

    def constraint(self, q):
        return jnp.stack([jnp.stack([-q[1], 0.0 * q[1], 1.0 + 0.0 * q[1]])])

    def offset(self, t, q):
        return jnp.stack([jnp.sin(q[0]) + q[1] * q[2]])

    def initial(self):
        return jnp.array([0.3, 0.5, -0.2]), jnp.zeros(3)


class Turned(da.System):
    """A body with a given spin about the vertical, faster where its third axis is high."""

    space = SO(3)

    def lagrangian(self, q, v):
        return 0.5 * jnp.array([1.0, 1.5, 2.2]) @ v**2

    def constraint(self, q):
        return q[2][None]

    def offset(self, t, q):
        return jnp.stack([0.4 * q[0, 1] + q[1, 2]])

    def initial(self):
        return SO(3).exp(jnp.array([0.3, -0.5, 0.2])), jnp.zeros(3)


@pytest.mark.parametrize("cls", [Belt, Turned])
def test_a_drift_changes_the_volume_by_the_formula(cls):
    """c = tr((1 - P) nabla V) against the divergence of the flow at y = 0."""
    from dalembert.geometry.reduction.state_measure import _prescribed

    system = cls()
    q = system.initial()[0]
    found = jax.jit(lambda x: _prescribed(system, None, True, q, x).values)(q)
    one = lambda x: jnp.ones(())
    c, _ = divergence(system, q, drift(system, q), one)
    assert abs(c) > 1e-2 and np.isclose(-found[-1], c, rtol=1e-11)
    step = geometry.local_frame(system, q)(q)[:, 0]
    both, _ = divergence(system, q, drift(system, q) + step, one)
    assert np.isclose(both - c, -found[0], atol=1e-11)  # linear in y
    assert phase_measure(system).verdict == "inconclusive"


def test_a_ball_on_a_turning_table_has_a_measure():
    """Also where every rate vanishes, and what is left is round-off."""
    system = da.systems.BallOnTurntable()
    assert phase_measure(system).verdict == "yes"
    ball = da.systems.ChaplyginBall()
    found = phase_measure(ball)
    q, v = ball.initial()
    assert found.verdict == "yes" and grows(ball, q, v, found.density) < 1e-12
    timed = da.systems.BallOnTurntableEuler(amplitude=0.5)
    assert "time" in phase_measure(timed).reason
