"""The examples run, and do what they say; they touch nothing but the public interface."""

import importlib.util
import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid
from dalembert.cli import main
from dalembert.testing import check_method, check_system

FOLDER = Path(__file__).parent.parent / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(
        f"example_{Path(name).name}", FOLDER / f"{name}.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda p: p.stem)
def test_examples_use_the_public_interface(path):
    text = path.read_text()
    assert not re.search(r"dalembert\.[\w.]*\._|from dalembert[\w.]* import _|da\._", text)
    for module in re.findall(r"from (dalembert[\w.]*) import", text):
        assert module in ("dalembert", "dalembert.dynamics", "dalembert.methods"), module


def test_own_method(capsys):
    module = load("own_method")
    module.main()
    first, second = (float(x) for x in re.findall(r"error (\S+)", capsys.readouterr().out))
    assert 14 < first / second < 18
    found = check_method(module.GaussFour(), h=0.2, steps=8, transformations=False)
    assert 3.65 < next(c.value for c in found.checks if c.what == "order") < 4.5


def test_own_joint(capsys):
    module = load("own_joint")
    module.main()
    found, closed = (float(x) for x in re.findall(r"(-\d+\.\d+) rad", capsys.readouterr().out))
    assert found == closed != 0
    # a motor, a spring and a limit act on it as on any joint with one number
    more = (da.parts.Motor("nut"), da.parts.Spring("nut", 1.0))
    driven = da.parts.build(*module.nut().contents, *more)
    assert driven.input_units == ("N m",) and driven.units == ("rad",)
    with pytest.raises(da.UsageError, match="URDF has no Screw"):
        da.parts.to_urdf(
            da.parts.build(
                da.parts.Body("base", 1.0),
                da.parts.Fixed("base"),
                da.parts.Body("nut", 1.0, 1e-5),
                module.Screw("nut", "base"),
            )
        )


def test_own_group(capsys):
    """The particle on the group moves as in coordinates."""
    load("own_group").main()
    assert max(map(float, re.findall(r"apart by (\S+)", capsys.readouterr().out))) < 1e-13


def test_sink_of_an_example():
    module = load("own_sink")
    sleigh = da.systems.ChaplyginSleigh()
    save = {"rows": da.Every(1), "length": module.PathLength()}
    run = da.simulate(sleigh, h=0.1, steps=30, save=save)
    legs = np.diff(run.saved["rows"].q[:, :2], axis=0)
    length = np.sum(np.linalg.norm(legs, axis=1))
    np.testing.assert_allclose(run.saved["length"], length, rtol=1e-14)
    q, v = sleigh.initial()
    many = da.simulate_ensemble(
        sleigh, q, np.stack([v, 0.5 * v]), h=0.1, steps=30, save={"length": module.PathLength()}
    )
    np.testing.assert_allclose(many.saved["length"][0], length, rtol=1e-13)
    assert many.saved["length"][1] < length


def test_own_method_on_the_command_line(capsys):
    spec = f"{FOLDER / 'own_method.py'}:GaussFour"
    assert main(["run", "knife-edge", "--method", spec, "--steps", "20", "--json"]) == 0
    assert '"method": "gauss-four"' in capsys.readouterr().out
    assert main(["run", "knife-edge", "--method", f"{FOLDER / 'own_method.py'}:Nothing"]) == 2
    assert "GaussFour" in capsys.readouterr().err


def test_impacts():
    """In the tutorial on hybrid systems: energy is kept in between, and lost at each impact."""
    found = load("tutorials/08_hybrid")
    energy = hybrid.energy(found.modes, found.run)
    ends = np.cumsum([len(arc.trajectory) for arc in found.run.arcs])
    arcs = [(x[0], x[-1]) for x in np.split(energy, ends[:-1])]
    assert len(arcs) > 3
    for (a, b), (c, _) in itertools.pairwise(arcs):
        assert abs(a - b) < 2e-3 * a and c < b
    assert found.fall.arcs[-1].mode == "floor"


def test_car_with_trailer(capsys):
    module = load("car_with_trailer")
    check_system(module.CarWithTrailer(), t=2.0)
    module.main()
    out = capsys.readouterr().out
    assert "constraint residual, max" in out and "swings between" in out


def test_own_sink(capsys):
    load("tutorials/04_own_sink")
    first = capsys.readouterr().out.splitlines()[0]
    far, t, a = map(float, re.findall(r"[\d.]+", first))
    one = da.simulate(da.systems.ChaplyginSleigh(a=a), da.DLA(), h=0.02, steps=500, save_every=5)
    reached = np.hypot(one.q[:, 0], one.q[:, 1])
    assert abs(reached.max() - far) < 2e-2 and abs(one.t[reached.argmax()] - t) < 0.2


def test_shopping_cart(capsys):
    load("shopping_cart").main(show=False)
    text = capsys.readouterr().out
    gained, work = (float(x) for x in re.findall(r"(\S+) J", text))
    assert gained == pytest.approx(work, abs=1e-6) and gained > 1.0
    assert float(re.search(r"turned by (\S+) rad", text)[1]) < -0.1  # away from the push


def test_coin_in_a_bowl(capsys):
    load("coin_in_a_bowl").main(show=False)
    text = capsys.readouterr().out
    low, high = (float(x) for x in re.findall(r"(\S+) m", text)[-2:])
    assert 0.04 < low < high < 0.15 and float(text.split()[-1]) < 1e-8


def test_wheelbarrow(capsys):
    module = load("wheelbarrow")
    module.main(show=False)
    text = capsys.readouterr().out
    assert "wheel holds, left leg slides, right leg slides" in text
    found, by_hand = re.search(r"acceleration (\S+) m/s\^2, by hand (\S+)", text).groups()
    assert float(found) == pytest.approx(float(by_hand), abs=2e-6)
