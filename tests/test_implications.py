"""Verdicts on controllability imply each other, on every system of the zoo that has inputs."""

import pytest

import dalembert as da
from dalembert import control

ACTUATED = [name for name, make in da.systems.registry.items() if make().has_inputs]
# a force acts there at rest (gravity, a spring): no motion along a field begins and ends at rest
FORCED = ("balancing-robot", "whipple-bicycle", "unicycle-with-rider", "sleigh-with-moving-mass")
REFUSED = {"mecanum-platform": "are dependent on the constraint"}  # four motors, three directions


def implied(found, kinematic):
    """STLC => STLCC => LCA, STLC => LA => LCA, kinematically controllable => STLCC."""
    pairs = [
        (found.stlc, found.stlcc), (found.stlcc, found.lca), (found.stlc, found.la),
        (found.la, found.lca),
    ]  # fmt: skip
    if kinematic is not None:
        pairs.append((kinematic, found.stlcc))
    for cause, effect in pairs:
        assert effect if cause else True, (cause, effect)
        assert cause.answer != "yes" if effect.answer == "no" else True, (cause, effect)


def test_the_zoo_has_sixteen_systems_with_inputs():
    assert len(ACTUATED) >= 16


@pytest.mark.parametrize("name", ACTUATED)
def test_verdicts_imply_each_other(name):
    system = da.systems.registry[name]()
    if name in REFUSED:
        with pytest.raises(da.UsageError, match=REFUSED[name]):
            control.controllability(system, degree=2)
        return
    found = control.controllability(system, degree=2)
    if name in FORCED:
        with pytest.raises(da.UsageError, match="a force acts at rest"):
            control.decoupling_fields(system, degree=2)
        implied(found, None)
        return
    implied(found, control.decoupling_fields(system, degree=2).controllable)
