"""Integrals that are found: from sections of g^q with factors, and from an invariant measure."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import quad

import dalembert as da
from compiled import jit
from dalembert import geometry
from dalembert.geometry import (
    Symmetry,
    body_frame,
    chaplygin,
    general_reduction,
    kept_section,
    last_integral,
    measure_integral,
)

R3 = da.Euclidean(3)
PARTICLE = da.systems.NonholonomicParticle()


class Coupled(da.System):
    """q = (y, x, z, s) with z' = y x' and a metric that couples x and s: two momenta."""

    space = da.Euclidean(4)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + q[0] * v[1] * v[3]

    def constraint(self, q):
        return jnp.stack([0.0 * q[0], -q[0], jnp.ones(()), 0.0 * q[0]])[None]

    def initial(self):
        return jnp.array([0.3, 0.0, 0.0, 0.0]), jnp.array([0.5, 0.4, 0.12, -0.2])


def test_two_momenta_are_kept_with_factors_that_mix_them():
    sections = lambda r: jnp.stack(
        [jnp.stack([1.0 + 0 * r[0], r[0], 0 * r[0]]), jnp.array([0.0, 0.0, 1.0])], axis=1
    )
    reduced = general_reduction(Coupled(), (0,), R3, sections=sections, at=jnp.zeros(1))
    found = kept_section(reduced, at=jnp.zeros(1))
    assert (found.verdict, found.count, found.momenta) == ("yes", 2, 2)
    # p1' = y y' (p1 - y p2), p2' = 0, and det I = 1
    y = 0.9
    wanted = [
        [np.exp(-(y**2) / 2), quad(lambda s: s**2 * np.exp(-(s**2) / 2), 0, y)[0]],
        [0.0, 1.0],
    ]
    np.testing.assert_allclose(found.factors(jnp.array([y])), wanted, atol=1e-11)
    assert geometry.noether_test(Coupled(), found.integral).holds
    # the mixing matters
    alone = lambda q, v: jnp.exp(-(q[0] ** 2) / 2) * reduced.momentum(*reduced.split(q, v)[::2])[0]
    assert not geometry.noether_test(Coupled(), alone).holds


class Loaded(da.System):
    """q = (y, u, x, z, s): the same with a mass of z that depends on u, and s by itself."""

    space = da.Euclidean(5)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + 0.5 * q[1] ** 2 * v[3] ** 2

    def constraint(self, q):
        zero = 0.0 * q[0]
        return jnp.stack([zero, zero, -q[0], jnp.ones(()), zero])[None]

    def initial(self):
        return jnp.array([0.3, 0.4, 0.0, 0.0, 0.0]), jnp.array([0.5, 0.1, 0.4, 0.12, -0.2])


def test_some_momenta_are_kept_where_a_curvature_stops_the_others():
    # p1' = m y y' x' with m = 1 + u^2: the one-form has a curl; p2 = s' is kept
    found = kept_section(general_reduction(Loaded(), (0, 1), R3))
    assert (found.verdict, found.count, found.momenta) == ("in part", 1, 2)
    assert found.quadratic < 1e-12 and found.growth < 1e-12 and found.curvature > 1e-4
    assert "curvature" in found.reason and "1 of 2" in str(found)
    assert geometry.noether_test(Loaded(), found.integral).holds
    # the same from generators, without a chart
    xzs = Symmetry.from_fields(lambda q: jnp.eye(5)[:, 2:], "xzs")
    sliced = kept_section(body_frame(Loaded(), xzs))
    assert (sliced.verdict, sliced.count, sliced.integral) == ("in part", 1, None)


def test_a_group_that_is_not_abelian_needs_no_chart():
    sleigh, disk = da.systems.ChaplyginSleigh(), da.systems.VerticalRollingDisk()
    found = kept_section(body_frame(sleigh, Symmetry.of(sleigh, "se2")))
    assert (found.verdict, found.count, found.momenta) == ("no", 0, 2)
    assert found.growth > 1e-3 and "p p" in found.reason
    found = kept_section(body_frame(disk, Symmetry.of(disk, "se2")))
    assert (found.verdict, found.count) == ("yes", 1)


class Central(da.System):
    """A particle in a central field: orbits of rotations have dimension two."""

    space = R3

    def lagrangian(self, q, v):
        return 0.5 * v @ v - q @ q

    def initial(self):
        return jnp.array([0.3, 0.4, 0.5]), jnp.array([0.1, 0.2, -0.3])


def test_where_no_section_is_sought():
    turns = Symmetry.from_fields(lambda q: -da.SO(3).hat(q), "turns")
    with pytest.raises(da.UsageError, match="singular or not free"):
        body_frame(Central(), turns)

    class Dragged(Coupled):
        def force(self, t, q, v):
            return -v

    assert "force" in kept_section(general_reduction(Dragged(), (0,), R3)).reason
    z = general_reduction(PARTICLE, (0, 1), da.Euclidean(1))
    assert "no momentum" in kept_section(z).reason

    class Tied(Coupled):
        def constraint(self, q):
            return jnp.eye(4)[:1]

    assert "ties" in kept_section(general_reduction(Tied(), (0,), R3)).reason


# -- from a measure --------------------------------------------------------------------------------


def test_remark_5_4_6_the_integral_of_the_particle_is_found_from_its_measure():
    found = measure_integral(chaplygin(PARTICLE, (0, 1), da.Euclidean(1)))
    assert found.verdict == "yes" and found.rate < 1e-10 and "yes" in str(found)
    closed = lambda q, v: v[0] * jnp.sqrt(1 + q[1] ** 2)
    start = PARTICLE.initial()
    q, v = geometry.sample_states(PARTICLE, count=5, spread=0.1)
    v = start[1][None] + 0.1 * v
    v = v.at[:, 2].set(q[:, 1] * v[:, 0])  # on the constraint again
    values = jit(jax.vmap(found.integral))(q, v)
    # k = 1 at the start: with the factor that the density has there
    wanted = np.sqrt(1 + start[0][1] ** 2) * (jax.vmap(closed)(q, v) - closed(*start))
    np.testing.assert_allclose(values, wanted, atol=1e-11)
    # a potential in x leaves four dimensions and one integral: one is missing
    pulled = da.systems.NonholonomicParticle(stiffness=1.0)
    found = measure_integral(chaplygin(pulled, (0, 1), da.Euclidean(1)))
    assert found.verdict == "inconclusive" and "give `integrals`" in found.reason
    other = da.systems.ParticleWithoutMeasure()
    shape, group, _ = other.chaplygin_split
    found = measure_integral(chaplygin(other, shape, group))
    assert (found.verdict, found.reason) == ("does not apply", "invariant measure: no")


def test_theorem_5_4_1_gives_the_last_integral_of_a_free_body():
    I = jnp.array([1.0, 1.7, 2.4])
    at = jnp.array([0.6, 0.5, -0.7])

    def field(w):
        return jnp.cross(I * w, w) / I

    def energy(w):
        return 0.5 * w @ (I * w)

    one = lambda w: jnp.ones(())
    found = last_integral(field, one, [energy], at)
    assert found.verdict == "yes" and found.integral is not None
    square = lambda w: (I * w) @ (I * w)  # the one that everybody knows: phi depends on it and E
    w = at + jnp.array([0.05, -0.08, 0.06])
    rows = jit(lambda w: [jax.grad(f)(w) for f in (found.integral, energy, square)])(w)
    sizes = np.prod([np.linalg.norm(x) for x in rows])
    assert abs(np.linalg.det(np.stack(rows))) < 1e-9 * sizes
    assert np.linalg.norm(np.cross(rows[0], rows[1])) > 1e-2
    # each hypothesis is tested
    bent = last_integral(field, lambda w: 1.0 + w[0] ** 2, [energy], at)
    assert (bent.verdict, bent.reason) == ("does not apply", "the measure is not invariant")
    wrong = last_integral(field, one, [lambda w: w @ w], at)
    assert wrong.verdict == "does not apply" and "not kept" in wrong.reason
    with pytest.raises(da.UsageError, match="1 integrals are needed"):
        last_integral(field, one, [], at)
