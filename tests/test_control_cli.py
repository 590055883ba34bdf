"""`dalembert control`: verdicts, plans, pictures, and what it says of what cannot be."""

import json

import pytest

from dalembert.cli import main

FILE = """
import jax.numpy as jnp
import dalembert as da


class Plate(da.MechanicalSystem):
    space = da.Euclidean(2)
    mass = jnp.eye(2)

    def initial(self):
        return jnp.zeros(2), jnp.zeros(2)


class Vanishing(Plate):
    def inputs(self, q):
        return jnp.stack([jnp.stack([q[0], 0.0 * q[0]])])


class Twice(Plate):
    def inputs(self, q):
        return jnp.ones((2, 2))


class Heavy(Plate):
    def potential(self, q):
        return 9.81 * q[1]

    def inputs(self, q):
        return jnp.eye(2)


class Stuck(Plate):
    def inputs(self, q):
        return jnp.array([[1.0, 0.0]])
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "plates.py"
    path.write_text(FILE)
    return path


def test_a_page_and_a_plan(tmp_path, capsys):
    picture = tmp_path / "plan.svg"
    to = ["--q0", "0,0,0", "--to", "0.3,-0.2,0.4", "--duration", "2", "--out", str(picture)]
    assert main(["control", "planar-body", *to, "--json"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    verdicts = {f["quantity"]: f["verdict"] for f in found["findings"]}
    assert verdicts["configuration controllable (STLCC)"] == "yes"
    assert verdicts["kinematically controllable"] == "yes"
    assert verdicts["quadratic form S (8.4)"] == "indefinite"
    assert "det A = -1" in next(f["evidence"] for f in found["findings"] if "form" in f["quantity"])
    plan = found["plan"]
    assert plan["miss"] < 1e-6 and plan["duration"] == 2 * len(plan["segments"])
    assert plan["target"] == [0.3, -0.2, 0.4]
    text = picture.read_text()
    assert "inputs" in text and "torque" in text and "target" in text


def test_a_reachable_set_beside_its_verdict(tmp_path, capsys):
    picture = tmp_path / "reached.svg"
    assert main(["control", "twisted-inputs", "--out", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert "E30" in printed and "picture:" in printed
    assert "STLCC: yes" in picture.read_text()


@pytest.mark.parametrize(
    ("name", "message"), [("Vanishing", "does nothing"), ("Twice", "dependent")]
)
def test_inputs_that_are_none(file, capsys, name, message):
    assert main(["control", f"{file}:{name}"]) == 2
    assert message in capsys.readouterr().err


def test_where_theory_does_not_speak(file, capsys):
    assert main(["control", f"{file}:Heavy"]) == 0
    printed = capsys.readouterr().out
    words = " ".join(printed.split())  # a cell may be wrapped
    assert "a force at rest" in words and "brackets along Q" in words
    assert main(["control", f"{file}:Heavy", "--to", "1,1"]) == 2
    assert "does not apply" in capsys.readouterr().err
    assert main(["control", f"{file}:Plate"]) == 0
    assert "no inputs" in capsys.readouterr().out


def test_targets_that_cannot_be(file, capsys):
    assert main(["control", f"{file}:Stuck", "--to", "0.5,0.5"]) == 2
    assert "along a curve" in capsys.readouterr().err
    assert main(["control", f"{file}:Stuck", "--to", "1,2,3"]) == 2
    assert "3 entries" in capsys.readouterr().err
    assert main(["control", f"{file}:Stuck", "--to", "a,b"]) == 2
    assert "--to" in capsys.readouterr().err
