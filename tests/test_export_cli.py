"""`dalembert export` and `analyze --formulas`: files, JSON, and mistakes in one sentence."""

from __future__ import annotations

import json

import pytest

import dalembert as da
from dalembert.cli import main
from dalembert.hybrid.zoo import registry


def test_a_model_as_c(tmp_path, capsys):
    to = tmp_path / "sleigh.c"
    given = ["--set", "a=0.35", "--h", "0.01", "--method", "rk4", "--main", "5", "--json"]
    assert main(["export", "chaplygin-sleigh", "--to", str(to), *given]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["file"] == str(to) and told["operations"]["steps"] > 100
    assert "0.35,  /* a */" in to.read_text() and to.with_suffix(".h").exists()


def test_a_hybrid_system_as_c(tmp_path, capsys, monkeypatch):
    to = tmp_path / "ball.c"
    given = ["--set", "restitution=0.5", "--h", "0.01", "--method", "rk4", "--main", "5"]
    assert main(["export", "bouncing-ball", "--to", str(to), *given]) == 0
    assert "jump bounce of air" in capsys.readouterr().out and "int main(void)" in to.read_text()
    (tmp_path / "mine.py").write_text(
        "from dalembert.hybrid.zoo import bouncing_ball\n"
        "from dalembert.systems import ChaplyginSleigh\n"
        "modes = bouncing_ball()\n"
        "def make(height: float = 2.0):\n    return bouncing_ball(height)\n"
        "def sleigh():\n    return ChaplyginSleigh()\n"
    )
    monkeypatch.chdir(tmp_path)
    for name, more in (("modes", []), ("make", ["--set", "height=3.0"]), ("sleigh", [])):
        assert main(["export", f"mine.py:{name}", "--to", "x.c", "--method", "rk4", *more]) == 0
        assert ("_leap_" in (tmp_path / "x.c").read_text()) == (name != "sleigh")
    capsys.readouterr()
    start = ["--mode", "floor", "--q0", "0,0"]
    assert main(["export", "bouncing-ball", "--to", "x.c", "--method", "rk4", *start]) == 2
    assert "give --mode, --q0 and --v0" in capsys.readouterr().err


def test_a_run_as_logs(tmp_path, capsys):
    pytest.importorskip("mcap")
    saved = tmp_path / "run.nc"
    da.simulate(da.systems.ChaplyginSleigh(), da.RK4(), h=0.05, steps=20).save(saved)
    for suffix, words in ((".mcap", "84 messages of 21 rows"), (".csv", "21 rows")):
        assert main(["export", str(saved), "--to", str(tmp_path / f"out{suffix}")]) == 0
        assert words in capsys.readouterr().out
    assert main(["export", str(saved), "--to", str(tmp_path / "out.c")]) == 2
    assert "is a saved run, but a .c file holds a system" in capsys.readouterr().err
    assert (
        (tmp_path / "out.csv").read_text().startswith("t [s],x [m],y [m],theta [rad],x_dot [m/s]")
    )


def test_a_hybrid_run_as_mcap(tmp_path, capsys):
    pytest.importorskip("mcap")
    saved = tmp_path / "ball.nc"
    run = da.simulate(registry["bouncing-ball"](), da.RK4(), h=0.01, steps=60)
    run.save(saved)
    assert main(["export", str(saved), "--to", str(tmp_path / "ball.mcap")]) == 0
    assert f"{5 * len(run)} messages of {len(run)} rows" in capsys.readouterr().out


def test_formulas_as_latex_and_python(tmp_path, capsys):
    pytest.importorskip("sympy")
    for suffix, words in ((".tex", "\\ddot{\\theta}"), (".py", "def acceleration(")):
        out = tmp_path / f"knife{suffix}"
        assert main(["analyze", "knife-edge", "--formulas", "--out", str(out)]) == 0
        assert words in out.read_text()
    capsys.readouterr()
    assert main(["analyze", "knife-edge", "--formulas"]) == 0
    assert "m*y_ddot = -lambda*cos(theta)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["chaplygin-sleigh", "--to", "x.cpp"], "unknown suffix"),
        (["no-system", "--to", "x.c"], "no-system"),
        (["chaplygin-sleigh", "--to", "x.mcap"], "is not a saved run"),
        (["chaplygin-sleigh", "--to", "x.fmu", "--single"], "are for C"),
        (["chaplygin-sleigh", "--to", "x.c", "--main", "3"], "give h as well"),
        (["chaplygin-sleigh", "--to", "x.c", "--method", "taylor"], "chooses the sizes"),
        (["chaplygin-sleigh", "--to", "x.c", "--name", "a b!"], "is no identifier of C"),
    ],
)
def test_mistakes_are_one_sentence(given, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["export", *given]) == 2
    told = capsys.readouterr().err
    assert words in told and "Traceback" not in told
    assert not list(tmp_path.iterdir())
