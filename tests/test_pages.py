"""The one table and the one page: text, Markdown, HTML."""

import html.parser

import jax.numpy as jnp
import numpy as np
import pytest

from dalembert.pages import Table, cell, document

NUMBERS = Table(["a", "b"], [["long name", "1"], ["x", "20"]])
WORDS = Table(("", "verdict"), [("z", "yes | no"), ("", "<no>")], "What & why.", align="ll")


def test_text_is_aligned():
    assert NUMBERS.text().splitlines() == ["a           b", "long name   1", "x          20"]
    lines = ["What & why.", "", "   verdict", "z  yes | no", "   <no>"]
    assert WORDS.text().splitlines() == lines
    mixed = Table(("a", "b", "c"), [("x", "1", "long"), ("y", "22", "")], align="lrl")
    assert mixed.text().splitlines() == ["a   b  c", "x   1  long", "y  22"]


def test_markdown():
    text = "| a | b |\n|---|---|\n| long name | 1 |\n| x | 20 |\n"
    assert NUMBERS.markdown() == text
    lines = ["What & why.", "", "| | verdict |", "|---|---|", "| z | yes \\| no |", "|  | <no> |"]
    assert WORDS.markdown().splitlines() == lines


class Cells(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_says_the_same():
    for table in (NUMBERS, WORDS):
        reader = Cells()
        reader.feed(table.html())
        assert reader.open == []
        assert reader.rows == [list(table.heads), *table.cells()]
    assert "<p>What &amp; why.</p>" in WORDS.html() and "<td>x</td>" in NUMBERS.html()
    assert '<td class="left">yes | no</td>' in WORDS.html()


@pytest.mark.parametrize(
    "value, text",
    [
        ("as it is", "as it is"),
        (3, "3"),
        (True, "True"),
        (1.23456789, "1.235"),
        (np.float64(2e-9), "2e-09"),
        (jnp.asarray(0.5), "0.5"),
        (float("nan"), "-"),
        (np.inf, "-"),
    ],
)
def test_entries(value, text):
    assert cell(value) == text


def test_a_table_without_heads():
    assert Table(("", ""), [("a", "x"), ("long", "y")], align="ll").text() == "a     x\nlong  y"
    assert Table(("", ""), []).text() == ""


def test_a_table_without_rows():
    assert Table(("a", "b"), []).text() == "a  b"
    assert Table(("a", "b"), []).markdown() == "| a | b |\n|---|---|\n"


def test_a_page_stands_alone():
    text = document("A < B", NUMBERS.html(), "p { color: red }")
    assert text.startswith("<!DOCTYPE html>") and "<title>A &lt; B</title>" in text
    assert "prefers-color-scheme: dark" in text and "p { color: red }" in text
    assert "http" not in text and "<script" not in text
