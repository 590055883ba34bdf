"""Every claim of the verification table holds."""

import importlib.util
import pathlib

import pytest

import claims

_path = pathlib.Path(__file__).parent.parent / "docs" / "verification.py"
_spec = importlib.util.spec_from_file_location("verification", _path)
verification = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(verification)


@pytest.mark.parametrize("name", list(claims.all_groups()))
def test_claim(name):
    found = claims.all_groups()[name]()
    for what, bad in (
        ("does not hold", [c for c in found if not c.holds]),
        ("holds with much room and no reason", [c for c in found if not c.is_tight]),
    ):
        assert not bad, "\n".join(
            f"{what}: {c.what} | {c.system} | {c.method}: measured {c.value:.6g}, wanted {c.wanted}"
            for c in bad
        )


def test_finding_a13_room_between_a_bound_and_its_measurement_needs_a_reason():
    assert claims.at_most("x", "", "", 1.6e-6, 1e-5).is_tight
    assert not claims.at_most("x", "", "", 1.6e-6, 2e-2).is_tight
    assert claims.at_most("round-off", "", "", 3e-16, 1e-12).is_tight
    assert not claims.at_least("x", "", "", 0.2, 1e-11).is_tight
    assert claims.at_least("x", "", "", float("inf"), 1.0, reason="a breakdown").is_tight
    assert claims.near("an order", "", "", 1.99, 2.0, 0.1).is_tight


def test_finding_a13_what_holds_by_construction_is_marked_and_not_counted():
    made = claims.at_most("residual", "s", "m", 1e-17, 1e-13, by_construction=True)
    measured = claims.at_most("error", "s", "m", 1e-3, 2e-3)
    assert made.verdict == "by construction" and measured.verdict == "yes"
    broken = claims.at_most("residual", "s", "m", 1.0, 1e-13, by_construction=True)
    assert broken.verdict == "**NO**"
    text = verification.page(["orders a"], {"orders a": [made, measured, broken]})
    assert "1 of 2 claims hold; 1 more holds by construction." in text
