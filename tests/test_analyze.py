"""One page about a system: verdicts, files, misuse."""

import json
import pathlib
import re

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import geometry
from dalembert.cli import main


def verdicts(system) -> dict[tuple[str, str], str]:
    return {(f.section, f.quantity): f.verdict for f in geometry.analyze(system).findings}


def test_particle():
    found = verdicts(da.systems.NonholonomicParticle())
    assert found["constraint", "growth vector"] == "(2, 3)"
    assert found["constraint", "integrable"].startswith("no")
    assert found["symmetry", "z"] == "purely kinematic"
    assert found["symmetry", "xz"] == "general (1)"
    assert found["symmetry", "momenta of xz"] == "1 of 1 constant (with factors of the shape)"
    assert found["reduction", "invariant measure"] == "yes"
    assert found["reduction", "gyroscopic one-form zero (Cor. 5.3.2)"] == "no"
    assert found["reduction", "midpoint RDLA variational (Thm 7.5.4)"].startswith("does not apply")
    assert found["symmetry", "two steps by xz"].startswith("does not apply: no generator")
    assert found["conserved", "p_nh"] == "yes"


def test_no_measure():
    assert verdicts(da.systems.ParticleWithoutMeasure())["reduction", "invariant measure"] == "no"


def test_affine_ball_has_a_moving_energy():
    found = verdicts(da.systems.BallOnTurntableGlobal())
    assert found["constraint", "kind"] == "affine"
    assert found["conserved", "moving energy, from a symmetry"] == "by rotation"
    assert found["conserved", "energy"] == "no"


def test_a_ball_on_a_resting_table_reduces_to_its_attitude():
    found = verdicts(da.systems.ChaplyginBall(Theta=0.0))
    assert found["symmetry", "translations"] == "purely kinematic"
    assert found["reduction", "Chaplygin"] == "by Euclidean(2) to shapes in SO(3)"
    assert found["reduction", "invariant measure"] == "yes"


class Wrong(da.systems.NonholonomicParticle):
    """Claims what is not so."""

    @property
    def invariants(self):
        return {"z": lambda q, v: q[2]}

    @property
    def symmetry_generators(self):
        return {"y": lambda q: jnp.array([[0.0], [1.0], [0.0]])}


def test_false_claims_are_found_out():
    found = verdicts(Wrong())
    assert found["conserved", "z"] == "no"
    assert found["symmetry", "y"] == "broken"


def test_command_line(tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["analyze", "benenti", "--json", "--out", str(page)]) == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["system"] == "benenti"
    kinds = {f["quantity"]: f["verdict"] for f in result["findings"]}
    assert [kinds[x] for x in ("admissible", "compatible", "homogeneous")] == ["yes"] * 3
    assert {"section", "quantity", "verdict", "evidence"} == set(result["findings"][0])
    assert "<table>" in page.read_text()
    assert main(["analyze", "benenti", "--out", str(tmp_path / "page.txt")]) == 2
    assert main(["analyze", "bennenti"]) == 2
    assert "did you mean benenti" in capsys.readouterr().err


FILE = """
import jax.numpy as jnp
import numpy as np
import dalembert as da

class Board(da.System):
    space = da.Euclidean(3)
    def lagrangian(self, q, v):
        return 0.5 * v @ v
    def constraint(self, q):
        return jnp.array([[q[1], q[0], 0.0]])
    @property
    def symmetry_generators(self):
        return {"z": lambda q: jnp.eye(3)[:, 2:], "x": lambda q: jnp.eye(3)[:, :1]}
    @property
    def chaplygin_split(self):
        return (0, 1), da.Euclidean(1), (None, None)
"""


def test_misuse_as_the_command_line_tells_it(tmp_path, capsys):
    file = tmp_path / "board.py"
    file.write_text(FILE)
    name = f"{file}:Board"
    assert main(["analyze", name]) == 2
    assert "give a point" in capsys.readouterr().err
    assert main(["analyze", name, "--q0", "0,0,0.4"]) == 2
    error = capsys.readouterr().err
    assert "singular point, the 1 constraints have rank 0 at q = [0.0, 0.0, 0.4]" in error
    assert "or take another point" in error
    assert main(["analyze", name, "--q0", "1,0.5,0", "--json"]) == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    rows = {f["quantity"]: (f["verdict"], f["evidence"]) for f in result["findings"]}
    assert rows["z"][0] == "horizontal" and rows["momenta of z"][0] == "1 of 1 constant"
    assert rows["x"][0] == "broken" and "constraint" in rows["x"][1]
    verdict, why = rows["Chaplygin"]
    assert verdict.startswith("does not apply") and why == ""
    assert "not complementary to the directions" in verdict
    assert "choose as shape the coordinates that the constraint leaves free" in verdict


def test_markdown():
    text = geometry.analyze(da.systems.Benenti()).to_markdown()
    assert text.startswith("# benenti")
    assert "| constraint | kind | nonlinear |" in text


@pytest.mark.parametrize("name", ["suslov", "chaplygin-ball"])
def test_systems_on_groups(name):
    found = verdicts(da.systems.registry[name]())
    assert found["constraint", "kind"] in ("linear", "affine")
    assert not any("not apply" in v for k, v in found.items() if k[0] == "constraint")


def test_page_on_symmetries():
    text = (pathlib.Path(__file__).parent.parent / "docs" / "symmetries.md").read_text()
    names = {}
    for block in re.findall(r"^```{code-cell}[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[
        :2
    ]:
        exec(block, names)
    particle, found, run = names["particle"], names["found"], names["run"]
    assert geometry.growth_vector(particle) == (2, 3)
    assert str(geometry.symmetry_class(particle, names["xz"])) == "general (1)"
    assert found.verdict == "yes"
    np.testing.assert_allclose(found.density([0.3, 0.75]), 1.25, rtol=1e-12)
    # z - z(0) of the closed form, to the order of the method
    exact = particle.closed_form(run.t[-1])[0][2]
    np.testing.assert_allclose(names["z"][-1], [exact], atol=1e-3)
