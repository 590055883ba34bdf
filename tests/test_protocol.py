"""Every registered method goes through what a method of a user can be put through."""

import dataclasses

import jax.numpy as jnp
import pytest

import dalembert as da
from dalembert import testing
from dalembert.methods import Advance, Traits, registry
from dalembert.testing import CheckError, check_method, check_system


@pytest.mark.parametrize("name", list(registry))
def test_registered_methods(name):
    method = registry[name]()
    h, steps = (0.2, 4) if method.traits.order > 2 else (0.02, 10)
    system = da.systems.Suslov() if "moser-veselov" in name else da.systems.KnifeEdge()
    derivatives = name in ("leapfrog", "gni-trapezoidal")  # compiling them takes long
    check_method(method, system, h=h, steps=steps, transformations=derivatives)


@pytest.mark.parametrize(
    "system",
    [da.systems.registry[x] for x in ("ball-on-turntable", "benenti")],
    ids=lambda x: x.name(),
)
def test_systems_of_the_library(system):
    check_system(system(), t=0.5)


# -- what is wrong is found ----------------------------------------------------------------------


def with_traits(base, **changes):
    """The method with other claims."""
    cls = type(base)
    wrong = dataclasses.replace(base.traits, **changes)
    return type(f"Wrong{cls.__name__}", (cls,), {"traits": wrong})()


@pytest.mark.parametrize(
    "method, told",
    [
        (with_traits(da.MPEuler(), order=2), "order .*FAILS"),
        (with_traits(da.MPEuler(), symmetric=True), "there and back .*FAILS"),
        (with_traits(da.Shake(), carry="node"), "a new start at a node .*FAILS"),
    ],
)
def test_false_claims_are_found(method, told):
    with pytest.raises(CheckError, match=told):
        check_method(method, da.systems.KnifeEdge(), transformations=False)


class Forgetful(da.Leapfrog):
    """Does not say what time it is."""

    def step(self, system, t, h, carry):
        advance = super().step(system, t, h, carry)
        return Advance(advance.carry, advance.row._replace(t=t), advance.frame)


class Lawless(da.systems.ChaplyginSleigh):
    """Claims a constant of the motion that is none."""

    @property
    def invariants(self):
        return {"x": lambda q, v: q[0]}


def test_broken_ones_are_found():
    with pytest.raises(CheckError, match=r"time after a step .*FAILS"):
        check_method(Forgetful(), transformations=False)
    with pytest.raises(CheckError, match=r"drift of x, relative .*FAILS"):
        check_system(Lawless(), t=0.1)
    with pytest.raises(da.UsageError, match="needs a method"):
        check_method(da.GNI)
    with pytest.raises(da.UsageError, match="needs a system"):
        check_system(da.GNI())
    with pytest.raises(da.UsageError, match="v0 is not on the constraint"):
        check_system(da.systems.ChaplyginSleigh(), jnp.zeros(3), jnp.ones(3))
    assert testing.Checked("x", ()).holds and isinstance(da.GNI().traits, Traits)
