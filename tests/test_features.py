"""Every kind of run with every feature: the table of tests/features.py."""

import importlib.util
import pathlib

import jax
import pytest

import dalembert as da
from features import table

CELLS = table()


@pytest.mark.parametrize("kind, feature", CELLS, ids=lambda x: x)
def test_each_cell_agrees_with_the_plain_run_or_says_why_not(kind, feature):
    cell = CELLS[kind, feature]
    if cell.waits:
        pytest.skip(f"waits for {cell.waits}")  # said in the table as well
    if cell.needs_gpu and not _has_gpu():
        pytest.skip("there is no GPU")
    if not cell.refused:
        cell.run()
        return
    with pytest.raises((da.UsageError, TypeError), match=cell.refused):
        cell.run()


def _has_gpu() -> bool:
    try:
        return bool(jax.devices("gpu"))
    except RuntimeError:
        return False


def test_the_page_is_up_to_date():
    path = pathlib.Path(__file__).parent.parent / "docs" / "features.py"
    spec = importlib.util.spec_from_file_location("features_page", path)
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    text = page.PAGE.read_text()
    assert "| single |" in text
    assert page.updated(text) == text
