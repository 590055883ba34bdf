"""Experiments: verdicts follow from numbers, records and gallery hold together."""

import html.parser
import json
import re

import numpy as np
import pytest

import dalembert as da
from dalembert import reproduce
from dalembert.cli import main
from dalembert.reproduce import Check, Claim, Outcome, Picture, Table, Verdict, experiment, runner


def picture(theme):
    with da.plots.canvas(theme, (3.0, 2.0)) as (fig, ax, look):
        ax.plot([0, 1], [0, 1], color=look.curves[0], label="a line")
        ax.set(xlabel="t [s]", ylabel="x [m]")
        da.plots.finish(ax, look, "tiny", "best")
    return fig


@experiment("tiny", source="[X] 1", title="A tiny one", see="A <line>.")
def tiny(full, seed):
    x = float(np.random.default_rng(seed).normal())
    claims = [
        Claim("x is a number & small", [Check("x", x, -10, 10, "m")]),
        Claim("order 2", [Check("order", 1.0, 1.9, 2.1)], [Check("order", 1.0, 0.9, 1.1)], "one"),
        Claim("order 4", [Check("order", 1.0, 3.9, 4.1)]),
        Claim("a figure", [Check("size", 2.0)], unpublished="ours"),
    ]
    table = Table(("run", "x"), [("a", x), ("b", float("nan")), ("n", 100 if full else 10)])
    return Outcome(claims, [table], [Picture("", "Look <here>.", "A line", picture)], ["a note"])


@experiment("broken", source="[X] 2", title="One that fails", see="Nothing.")
def broken(full, seed):
    raise da.SimulationError("the step failed")


@pytest.fixture
def known(monkeypatch):
    found = {"Beyond": [tiny], "Others": [broken]}
    monkeypatch.setattr(runner, "groups", lambda: found)
    monkeypatch.setattr(reproduce, "groups", lambda: found)


# -- verdicts ------------------------------------------------------------------------------------


def test_verdicts_are_decided_by_numbers():
    inside, outside = Check("a", 1.0, 0.0, 2.0), Check("a", 3.0, 0.0, 2.0)
    assert Claim("c", [inside]).verdict == Verdict.HOLDS
    assert Claim("c", [inside, outside]).verdict == Verdict.FAILS
    assert Claim("c", [outside], [inside], "so").verdict == Verdict.CORRECTED
    assert Claim("c", [outside], [outside], "so").verdict == Verdict.FAILS
    assert Claim("c", [inside], unpublished="data").verdict == Verdict.UNPUBLISHED
    assert Claim("c", [Check("a", float("nan"), high=1.0)]).verdict == Verdict.FAILS


def test_finding_a13_data_that_are_not_published_excuse_no_check():
    inside, outside = Check("a", 1.0, 0.0, 2.0), Check("a", 3.0, 0.0, 2.0)
    assert Claim("c", [inside, outside], unpublished="data").verdict == Verdict.FAILS
    assert Claim("c", [outside], [inside], "so", "data").verdict == Verdict.CORRECTED


def test_a_claim_needs_a_number_and_a_correction_its_words():
    with pytest.raises(da.UsageError, match="decided by a number"):
        Claim("c", [])
    with pytest.raises(da.UsageError, match="what was corrected"):
        Claim("c", [Check("a", 1.0)], [Check("a", 1.0)])


def test_bounds_in_words():
    assert Check("a", 1.0, 0.5, 2).wanted == "0.5 to 2"
    assert Check("a", 1.0, high=2).wanted == "at most 2"
    assert Check("a", 1.0, low=2).wanted == "at least 2"
    assert Check("a", 1.0).wanted == "for information"
    assert Check("a", 3.0).measured == "3"
    assert Check("a", 2.0000279, unit="m").measured == "2.000 m"


# -- the command ---------------------------------------------------------------------------------


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.images, self.links, self.ids, self.open = [], [], set(), []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.ids.add(found.get("id"))
        if tag == "img":
            self.images.append(found)
        if tag == "a":
            self.links.append(found["href"])
        if tag not in ("img", "meta", "source", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_run_leaves_pictures_records_and_a_gallery(known, tmp_path, capsys):
    out = tmp_path / "new" / "gallery"
    assert main(["reproduce", "tiny", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "HOLDS WITH A CORRECTION: order 2" in printed and "(3.9 to 4.1, outside)" in printed
    assert "1 holds, 1 holds with a correction, 1 does not hold, 1 data not published" in printed
    reader = Reader()
    text = (out / "index.html").read_text(encoding="utf-8")
    reader.feed(text)
    assert reader.open == []
    assert all(image["alt"] and (out / image["src"]).is_file() for image in reader.images)
    assert (out / "tiny-dark.png").is_file()
    local = [link for link in reader.links if not link.startswith("#")]
    assert all((out / link).is_file() for link in local)
    assert {link[1:] for link in reader.links if link.startswith("#")} <= reader.ids
    assert "Look &lt;here&gt;." in text and "http" not in text and "<script" not in text
    # the claims come first
    assert text.index("order 4") < text.index("<img")


def test_the_same_numbers_again_and_others_from_another_seed(known, tmp_path):
    def claims(seed):
        return runner.run_one(tiny, tmp_path, seed=seed)["claims"]

    assert claims(1) == claims(1) != claims(2)


def test_full_runs_are_marked(known, tmp_path):
    record = runner.run_one(tiny, tmp_path, full=True)
    assert record["full"] and record["tables"][0]["rows"][2] == ["n", "100"]
    assert "dalembert reproduce tiny --full" in runner.gallery.page({"g": [record]})


def test_a_failure_is_told_and_the_others_go_on(known, tmp_path, capsys):
    assert main(["reproduce", "--all", "--json", "--out", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    found = json.loads(captured.out.splitlines()[-1])
    assert [bool(e["error"]) for e in found["experiments"]] == [False, True]
    assert "broken: SimulationError: the step failed" in captured.err
    assert "the step failed" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_gallery_keeps_what_was_run_before(known, tmp_path, capsys):
    assert main(["reproduce", "tiny", "--out", str(tmp_path)]) == 0
    assert main(["reproduce", "broken", "--out", str(tmp_path)]) == 1
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "A tiny one" in text and "One that fails" in text


@pytest.mark.parametrize("arguments, message", [(["nothing"], "experiment"), ([], "--all")])
def test_misuse(known, tmp_path, capsys, arguments, message):
    assert main(["reproduce", *arguments, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_list_names_every_experiment(capsys):
    assert main(["reproduce", "--list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    names = [row["name"] for row in rows]
    assert len(set(names)) == len(names) >= 2
    for each in reproduce.by_name().values():
        assert re.fullmatch(r"[a-z0-9-]+", each.name) and each.see.endswith(".")
        assert "symplectic" not in f"{each.title} {each.see}"


# -- some claims, at a size for tests ------------------------------------------------------------


def test_eigenvalues_of_the_contact_oscillator():
    from dalembert.reproduce.experiments import mp_contact_oscillator as contact

    # of two independent codes: 1 and exp(+-2.5966001152 i)
    found = contact.eigenvalues(da.Leapfrog(), 1.0, 40)
    np.testing.assert_allclose(
        np.sort(np.abs(np.angle(found))), [0, *[2.5966001152] * 2], atol=1e-9
    )
    np.testing.assert_allclose(np.abs(found), 1.0, atol=1e-12)


def test_literal_composition_does_not_converge():
    from dalembert.reproduce.experiments import f15_theorems as theorems

    coarse, fine = theorems._literal(0.05), theorems._literal(0.0125)
    assert da.diagnostics.distance(coarse, fine) < 0.02  # it settles, but elsewhere
    right = da.simulate(theorems.SYSTEM, da.Composition(), h=0.0125, steps=160).final.q
    assert da.diagnostics.distance(fine, right) > 0.2


def test_means_tell_regular_orbits_from_chaotic_ones():
    from dalembert.reproduce.helpers.sections import orbits, regularity

    start = np.array([0.1, 1.0]), np.array([0.3, 0.3]), np.array([0.2, 0.2])
    points, energy = orbits(*start, N=40, iterates=400)
    regular, chaotic = regularity(points)
    assert regular > 5 > chaotic
    assert points.shape == (2, 401, 3) and np.max(np.abs(energy[0] - 1.5)) < 0.01


def test_general_purpose_solver_solves():
    from dalembert.reproduce.helpers.stiff import solve

    system = da.systems.ContactOscillator()
    q0, v0 = system.initial()
    found = solve(system, q0, v0, np.array([0.0, 0.5, 1.0]), 1e-8, ida=False)
    exact = da.simulate(system, da.RK4(), h=0.01, steps=100, save_every=50)
    assert found.solver == "BDF (SciPy)" and found.steps > 10
    np.testing.assert_allclose(found.q, exact.q, atol=1e-5)


def test_what_decides_in_the_quick_run_of_the_ring():
    outcome = reproduce.by_name()["f15-fig2"].run(False, 0)
    verdicts = [claim.verdict for claim in outcome.claims]
    assert verdicts == [Verdict.HOLDS, Verdict.HOLDS, Verdict.UNPUBLISHED]
    assert all(check.holds for claim in outcome.claims for check in claim.checks)


def test_the_checks_of_orders_can_fail(monkeypatch):
    """RK4 has order 4 as well, and lets the blade slip; with a wrong order both fail."""
    from dalembert.reproduce.experiments import method_orders

    monkeypatch.setattr(method_orders, "QUICK", (da.RK4(),))
    (claim,) = method_orders.orders.run(False, 0).claims
    order, residual = claim.checks
    assert order.holds and not residual.holds and 5e-5 < residual.value < 5e-4
    monkeypatch.setattr(method_orders, "QUICK", (da.Gauss(1),))
    monkeypatch.setitem(method_orders.COUNTS, 2, (3, 6, 12))  # the next term of the error is large
    (claim,) = method_orders.orders.run(False, 0).claims
    assert [x.holds for x in claim.checks] == [False, True]


def test_work_is_interpolated_between_runs():
    """A run that misses a level by round-off changes nothing; a level that is missed fails."""
    from dalembert.reproduce.experiments.work_precision import _work

    points = [(float(n), 1e-3 * (n / 10) ** -8) for n in (10, 14, 20, 28, 40)]
    exact = 10 * 1e6 ** (1 / 8)
    assert _work(points, 1e-9) == pytest.approx(np.nan, nan_ok=True)
    points.append((80.0, 1e-3 * 8.0**-8))
    assert _work(points, 1e-9) == pytest.approx(exact)
    level = points[3][1]
    assert _work(points, level * (1 + 1e-15)) == pytest.approx(_work(points, level * (1 - 1e-15)))
    assert not Check("share", _work(points, 1e-30) / 7.0, 0.4, 1.5).holds
