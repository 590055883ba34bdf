"""`analyze` answers for rolling bodies by the symmetry that they declare, SE(2)."""

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
