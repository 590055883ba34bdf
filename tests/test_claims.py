"""Every claim of the verification table holds."""

import pytest

import claims


@pytest.mark.parametrize("name", list(claims.all_groups()))
def test_claim(name):
    broken = [c for c in claims.all_groups()[name]() if not c.holds]
    assert not broken, "\n".join(
        f"{c.what} | {c.system} | {c.method}: measured {c.value:.6g}, wanted {c.wanted}"
        for c in broken
    )
