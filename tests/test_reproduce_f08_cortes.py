"""Some claims of the experiments of [F08] and [C02], at a size for tests."""

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import reproduce


def test_which_energy_gni_keeps():
    from dalembert.reproduce.experiments import f08_fig2 as fig2

    run = da.simulate(fig2.PARTICLE, da.GNI(), *fig2.START, h=0.5, steps=20)
    assert np.ptp(fig2._of_steps(run)) < 1e-13  # of p+ and p-
    assert np.ptp(da.diagnostics.energy(fig2.PARTICLE, run)) > 1e-3  # on the constraint
    momentum_equation, constraint = fig2._balance(run)
    assert momentum_equation < 1e-13 and constraint < 1e-13


def test_printed_projector_of_the_snakeboard_is_right_and_its_normal_fields_are_not():
    from dalembert.reproduce.experiments import f08_snakeboard as board

    q = np.array([0.3, -0.2, 1.1, 0.5, 0.7])
    right = da.dynamics.projectors(board.BOARD, jnp.asarray(q))[1]
    np.testing.assert_allclose(board._printed_q(q), right, atol=1e-14)
    printed, repaired = board._least_singular_values()
    assert printed < 1e-12 and repaired > 0.5


def test_printed_sideways_motion_of_the_knife_edge_is_wrong():
    from dalembert.reproduce.experiments import c02_knife_edge as edge

    t = np.linspace(0.0, edge.TURN, 9)
    exact = np.asarray(jax.vmap(lambda s: edge.EDGE.closed_form(s, *edge.START)[0])(jnp.asarray(t)))
    np.testing.assert_allclose(edge._sideways(t, True), exact[:, 1], atol=1e-12)
    wrong = np.abs(edge._sideways(t, False) - exact[:, 1])
    assert wrong.max() > 1.0 and wrong[-1] < 1e-12  # but right after a whole turn


def test_benchmark_and_drift():
    from dalembert.reproduce.helpers import fluctuate_or_drift as both

    particle, t = da.systems.NonholonomicParticle(), np.array([0.0, 1.0, 3.0])
    q, v = both._benchmark(particle, *particle.initial(), t)
    exact = jax.vmap(particle.closed_form)(jnp.asarray(t))
    np.testing.assert_allclose(q, exact[0], atol=1e-7)
    np.testing.assert_allclose(v, exact[1], atol=1e-7)
    assert both._drift(np.arange(100.0)) == 90.0
    assert abs(both._drift(np.sin(np.pi * np.arange(100)))) < 1e-12


def test_printed_signs_of_the_particle_across_the_cone_are_wrong():
    from dalembert.reproduce.experiments import c02_cone as cone

    found = cone._equations(np.random.default_rng(1))
    assert found["L right"] < 1e-12 < 1.0 < found["L"]
    assert found["6.24 right"] < 1e-10 < 1.0 < found["6.24"]
    assert found["x dC"] < 1e-12 and found["S in C"] < 1e-12


def test_plastic_and_elastic_sisters():
    from dalembert.reproduce.experiments import f15_sister as sister

    exact, _ = sister.PARTICLE.closed_form(jnp.asarray(sister.END))
    off = {
        e: [sister._far(sister._bounced(e, n)[0], exact) for n in (40, 80)] for e in (0.0, 0.5, 1.0)
    }
    order = {e: np.log2(a / b) for e, (a, b) in off.items()}
    assert abs(order[0.0] - 1) < 0.1 and abs(order[0.5] - 1) < 0.1 and abs(order[1.0] - 2) < 0.1
    lost = {e: float(sister._bounced(e, 80)[1]) for e in (0.0, 0.5, 1.0)}
    assert abs(lost[1.0]) < 1e-14 < lost[0.5] < 0.35 * lost[0.0]


def test_all_are_listed():
    groups = reproduce.groups()
    names = {group: [each.name for each in found] for group, found in groups.items()}
    assert names["Ferraro, Iglesias, Martín de Diego 2008"] == [
        "f08-fig2",
        "f08-snakeboard",
        "f08-fig5",
        "f08-statements",
    ]
    assert names["Cortés 2002"] == [
        "c02-fig7-1-2",
        "c02-fig7-3-4",
        "c02-knife-edge",
        "c02-two-wheeled-robot",
        "c02-general",
        "c02-phases",
        "c02-forms",
        "c02-counterexample",
        "c02-controllability",
        "c02-not-only-if",
        "c02-series",
        "c02-kinematic",
        "c02-fig6-1",
        "c02-fig6-2",
        "c02-cone",
        "c02-impulses",
    ]
