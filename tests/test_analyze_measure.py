"""`analyze` answers for bodies and vehicles by the symmetry that they declare, SE(2)."""

import pytest

import dalembert as da
from dalembert import geometry


@pytest.mark.parametrize(("name", "answer"), [("rattleback", "no"), ("routh-sphere", "yes")])
def test_rolling_bodies_have_an_answer(name, answer):
    found = geometry.analyze(da.systems.registry[name]())
    (verdict,) = [x.verdict for x in found.findings if x.quantity == "invariant measure"]
    assert verdict.split(":")[0] == answer
    kinds = {x.quantity: x.verdict for x in found.findings if x.section == "symmetry"}
    assert kinds["se2"].startswith("general")


@pytest.mark.parametrize(
    ("name", "answer"), [("sleigh-with-trailer", "no"), ("ball-on-turntable-global", "yes")]
)
def test_vehicles_and_turning_tables_have_an_answer(name, answer):
    found = geometry.analyze(da.systems.registry[name]())
    (verdict,) = [x.verdict for x in found.findings if x.quantity == "invariant measure"]
    assert verdict.split(":")[0] == answer


def test_a_snake_has_no_measure_by_two_routes():
    """On D modulo SE(2), and by beta of its Chaplygin reduction to the two joints."""
    snake = da.systems.WheeledSnake()
    one = geometry.phase_measure(snake, geometry.Symmetry.of(snake, "se2"))
    reduced = geometry.chaplygin(snake, (3, 4), da.SE(2))
    other = geometry.invariant_measure(reduced, origin=snake.initial()[0][3:])
    assert one.verdict == other.verdict == "no"
