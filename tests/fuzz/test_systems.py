"""Twenty of the random systems of `systems.py`, of kinds that are cheap to compile."""

import pytest

from . import systems


@pytest.mark.parametrize(("kind", "method"), [("flat", "leapfrog"), ("kept", "gauss-2")])
def test_random_systems_against_another_integration(kind, method):
    for seed in range(1000, 1010):
        case, chosen = systems.chosen(seed, kind, [method])
        verdict = systems.judge(case, chosen)
        assert verdict.result == "good", (seed, verdict)
