"""The map of the sources: every name, experiment and test on it exists, and its words are found."""

import json
import re
import sys
from pathlib import Path

import pytest

from dalembert import UsageError, cli, reproduce
from dalembert.cli import finding
from dalembert.reproduce import sources
from dalembert.reproduce.sources import Status

ROOT = Path(__file__).parent.parent
TERMS = [
    line
    for line in (ROOT / "tests" / "data" / "terms.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


# -- the items -----------------------------------------------------------------------------------


def test_every_item_has_a_name_or_a_reason():
    for item in sources.items():
        assert item.names or item.reason, item.place
        assert (item.status is Status.WORKS) == (not item.lacks), item.place


def test_names_that_work_are_public():
    """Each part of a path is listed by the `__all__` of its package, where that has one."""
    for item in sources.items():
        for name in item.built:
            head, _, rest = name.partition("(")[0].partition(".")
            package = getattr(__import__("dalembert"), head)
            listed = getattr(package, "__all__", None)
            if rest and listed and "rules" not in name:
                assert re.split(r"[.(]", rest)[0] in listed, name


def test_a_name_that_does_not_exist_is_noticed():
    assert sources.is_public("geometry.chaplygin")
    assert sources.is_public("Trajectory.frame")  # a field without a default
    assert sources.is_public("hybrid.jump_across(external=)")
    assert not sources.is_public("geometry.chaplygin_of_another_kind")
    assert not sources.is_public("hybrid.jump_across(colour=)")
    assert not sources.is_public("geometry.chaplygin.nothing")
    assert not sources.is_public("nothing.at.all")


def test_what_decides_an_item_exists():
    experiments = reproduce.by_name()
    for item in sources.items():
        for name in item.decided:
            if name in item.experiments:
                assert name in experiments, f"{item.place}: {name}"
            else:
                assert (ROOT / "tests" / name).exists(), f"{item.place}: {name}"


def test_a_test_that_decides_an_item_uses_one_of_its_names():
    for item in sources.items():
        words = {part for name in item.built for part in _words(name)}
        for name in item.decided:
            if words and name.endswith(".py") and name != "test_errata.py":  # formulas as printed
                text = (ROOT / "tests" / name).read_text()
                assert any(re.search(rf"\b{x}\b", text) for x in words), f"{item.place}: {name}"


def _words(name):
    """The last part of a path, and the class that it is in."""
    parts = name.split("(")[0].split(".")
    return [part for part in parts[-2:] if part is parts[-1] or part[0].isupper()]


def test_every_numbered_equation_has_an_item():
    numbered = sources.equations()
    assert {key: len(x) for key, x in numbered.items()} == {
        "F15": 54,
        "F08": 9,
        "MP": 85,
        "C02": 160,
    }
    assert not [f"{key} ({n})" for key, x in numbered.items() for n, has in x.items() if not has]


def test_the_page_is_up_to_date():
    """After names were added: python docs/sources.py."""
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import sources as writer  # docs/sources.py
    finally:
        sys.path.remove(str(ROOT / "docs"))
    assert writer.page() == writer.PAGE.read_text(encoding="utf-8")


# -- places --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "count", "word"),
    [
        ("C02 4.4", 8, "momentum"),
        ("C02 (4.4)", 1, "bundle U"),
        ("[c02] Theorem 5.4.1", 2, "measure"),
        ("C02 Prop. 5.1.4", 1, "average"),
        ("C02 Proposition 4.2.6", 1, "Chaplygin"),
        ("C02 Lemma 4.4.8", 1, "G_μ"),
        ("MP (3.10)", 1, "discrete Lagrange-d'Alembert"),
        ("F15 Fig. 2", 1, "circle"),
        ("F15 arXiv", 2, "preprint"),
        ("F08", 13, "snakeboard"),
    ],
)
def test_a_place_has_its_items(place, count, word):
    found = sources.at(place)
    assert len(found) == count
    assert any(word in item.what for item in found)


def test_no_source_or_nothing_there_is_refused():
    with pytest.raises(UsageError, match="unknown source 'C2'"):
        sources.at("C2 4.4")
    with pytest.raises(UsageError, match=r"has nothing at '9'; its sections: .*7.3"):
        sources.at("MP 9")


def test_reproduce_lists_a_place(capsys):
    assert cli.main(["reproduce", "--source", "C02 4.4", "--list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [e["name"] for e in found["experiments"]] == ["c02-general"]
    assert found["items"][1]["place"] == "[C02] 4.4, Remarks 4.4.3-4.4.5, (4.20)"
    assert "geometry.momentum_map" in found["items"][1]["names"]
    assert cli.main(["reproduce", "--source", "C02 4.4", "--list"]) == 0
    assert "c02-general" in capsys.readouterr().out


def test_reproduce_says_what_decides_a_place_without_an_experiment(capsys):
    assert cli.main(["reproduce", "--source", "C02 2.7"]) == 2
    assert "geometry.momentum_map" in capsys.readouterr().err
    assert cli.main(["reproduce", "--source", "C02 2.7", "--all"]) == 2
    assert "give one of" in capsys.readouterr().err


# -- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("term", TERMS)
def test_a_term_of_the_sources_is_found(term):
    found = finding.search(term)
    assert any(e.kind == "sources" for e in found), term


def test_what_is_found_first_has_the_phrase():
    found = finding.search("momentum equation")
    names = [e.name for e in found if e.kind == "names"]
    assert "geometry.momentum_rate" in names
    assert any("geometry.momentum_map" in e.about for e in found if e.kind == "sources")
    first = next(e.name for e in finding.search("parallel transport") if e.kind == "names")
    assert first == "geometry.parallel_transport"
    assert any(e.name == "c02-general" for e in finding.search("general case"))
    assert any(e.name == "docs/theory.md" for e in finding.search("DLA") if e.kind == "pages")


def test_words_are_compared_in_the_singular_without_accents():
    assert finding.plain("Poincaré's SYMMETRIC_products, ChaplyginBall") == (
        "poincare symmetric product chaplygin ball"
    )


def test_find_prints_json_and_says_when_nothing_is_found(capsys):
    assert cli.main(["find", "Koiller's", "question", "--json"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {"words", "sources", "names", "experiments", "pages"} == set(found)
    assert any("hamiltonization" in row["about"] for row in found["sources"])
    assert cli.main(["find", "momentm", "qxz"]) == 1
    assert "near it: momentum" in capsys.readouterr().err
    assert cli.main(["find", "?"]) == 2
