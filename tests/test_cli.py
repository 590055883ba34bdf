"""What people type: results as JSON and as text, and every mistake with its message and code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert.cli import main, reading, showing
from dalembert.hybrid.zoo import registry as hybrids
from dalembert.methods import registry as methods
from dalembert.request.validate import own_start
from dalembert.systems import registry as systems

# one pair for all tests that only need some run: it compiles once
PARTICLE = ("nonholonomic-particle", "--method", "gni-trapezoidal")
SHORT = ("--h", "0.1", "--steps", "20")

OSCILLATOR = """
import jax.numpy as jnp
import dalembert as da


class Oscillator(da.System):
    k: float = da.parameter(1.0, "N/m", "stiffness", positive=True)
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * self.k * q @ q

    def initial(self):
        return jnp.array([1.0, 0.0]), jnp.array([0.0, 0.5])
"""
RUNAWAY = """
import jax.numpy as jnp
import dalembert as da


class Runaway(da.System):
    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + jnp.sum(q**4)

    def initial(self):
        return jnp.array([1.0]), jnp.array([1.0])
"""


@pytest.fixture
def dalembert(capsys):
    """Run a command in this process: exit code, output, errors."""

    def run(*args):
        code = main([str(x) for x in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def refused(dalembert):
    """Run a command that must be refused: exit code 2, one message; returns the message."""

    def run(*args):
        code, out, err = dalembert(*args)
        assert code == 2 and out == ""
        assert err.startswith("dalembert: ") and "Traceback" not in err
        assert len(err.splitlines()) == 1
        return err

    return run


@pytest.fixture
def no_run(monkeypatch):
    """Nothing may be computed."""

    def simulate(*args, **kwargs):
        raise AssertionError("it was run")

    monkeypatch.setattr("dalembert.running.simulate", simulate)


@pytest.fixture
def write(tmp_path):
    def write(text, name="mine.py"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def last_json(out):
    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    return json.loads(out.splitlines()[-1], parse_constant=refuse)


# -- help and lists ------------------------------------------------------------------------------


def test_version(dalembert):
    assert dalembert("--version") == (0, f"dalembert {da.__version__}\n", "")


@pytest.mark.parametrize("command", ["", "systems", "methods", "run", "compare", "demo"])
def test_every_help_has_examples(dalembert, command):
    code, out, err = dalembert(*command.split(), "--help")
    assert (code, err) == (0, "")
    assert "Examples" in out and f"dalembert {command}".strip() in out


def test_systems_lists_all(dalembert):
    code, out, _ = dalembert("systems")
    assert code == 0
    assert all(name in out for name in systems)
    assert all(line == line.rstrip() and len(line) <= 100 for line in out.splitlines())
    assert "A disk that rolls and leans" in out
    _, out, _ = dalembert("systems", "--json")
    rows = {row["name"]: row for row in last_json(out)}
    assert set(rows) == set(systems)
    kinds = {"chaplygin-sleigh": "linear", "ball-on-turntable": "affine", "benenti": "nonlinear"}
    assert {name: rows[name]["constraint"] for name in kinds} == kinds


@pytest.mark.parametrize("name", ["chaplygin-ball", "suslov", "suslov-so-n"])
def test_systems_tells_all_about_one(dalembert, name):
    code, out, _ = dalembert("systems", name, "--json")
    assert code == 0
    facts = last_json(out)
    system = systems[name]()
    assert [p["name"] for p in facts["parameters"]] == list(system.parameters())
    assert facts["invariants"] == list(system.invariants)
    assert facts["closed_form"] == hasattr(system, "closed_form")
    assert len(facts["v0"]) == system.dim
    code, out, _ = dalembert("systems", name)
    assert code == 0
    for parameter in facts["parameters"]:
        assert parameter["name"] in out and parameter["doc"] in out
        assert parameter["default"] == system.parameters()[parameter["name"]]


@pytest.mark.parametrize("kind", ["systems", "hybrid"])
def test_look_lists_have_one_line_each_within_80_columns(dalembert, kind):
    code, out, _ = dalembert(kind)
    lines = out.splitlines()
    names = [line.split()[0] for line in lines[2:] if line and not line.startswith("Param")]
    known = systems if kind == "systems" else hybrids
    assert code == 0 and names == list(known) and max(map(len, lines)) <= 80
    assert all(len(line.split()) > 2 for line in lines[2 : 2 + len(names)])  # what it is


def test_look_help_is_no_mistake_and_switches_have_no_type(dalembert):
    code, out, _ = dalembert()
    assert code == 0 and "Commands" in out
    code, out, _ = dalembert("run", "--help")
    assert code == 0 and "<bool>" not in out
    assert all(f"─ {x} ─" in out for x in ("Start", "Steps", "Output"))
    code, _, err = dalembert("run", "qqqq")
    assert code == 2 and "dalembert systems" in err and len(err) < 100
    assert "theta_dot [rad/s]" in dalembert("systems", "rolling-disk")[1]


def test_methods_lists_all(dalembert):
    code, out, _ = dalembert("methods")
    assert code == 0
    assert all(len(line) <= 80 for line in out.splitlines())
    assert "gauss-2 *" in out and "* the default" in out
    for line, name in zip(out.splitlines()[2:], methods):
        assert line.startswith(name) and len(line.split()) > 4  # some words on what it is for
    code, out, _ = dalembert("methods", "--all")
    assert all(len(line) <= 100 for line in out.splitlines())
    out = " ".join(out.split())  # sentences are wrapped
    for name, make in methods.items():
        assert name in out and make().traits.keeps in out and make().traits.reference in out
    _, out, _ = dalembert("methods", "--json")
    rows = {row["name"]: row for row in last_json(out)}
    assert set(rows) == set(methods)
    for name, make in methods.items():
        assert rows[name]["order"] == make().traits.order
        assert rows[name]["symmetric"] is make().traits.symmetric


# -- runs ----------------------------------------------------------------------------------------


def test_run_ball_by_reference_gives_the_exact_position(dalembert):
    code, out, err = dalembert("run", "ball-on-turntable", "--method", "reference", "--json")
    assert (code, err) == (0, "")
    result = last_json(out)
    exact = (-5.02611529042885, 3.24210281388921)
    np.testing.assert_allclose(result["q"], exact, rtol=0, atol=1e-9)
    assert result["t"] == pytest.approx(10.0)
    assert result["energy_conserved"] is False
    assert result["energy_error_max"] > 1
    assert result["invariant_drift_max"]["moving_energy"] < 1e-9
    assert len(result["frame"]) == 9


def test_run_json(dalembert):
    code, out, err = dalembert("run", *PARTICLE, *SHORT, "--json")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 1
    result = last_json(out)
    particle = da.systems.NonholonomicParticle()
    traj = da.simulate(particle, da.GNI(da.Trapezoidal()), h=0.1, steps=20)
    assert result["system"] == "nonholonomic-particle"
    assert result["method"] == "gni-trapezoidal"
    assert result["order"] == 2
    assert (result["h"], result["steps"], result["rows"]) == (0.1, 20, 21)
    assert result["t"] == pytest.approx(2.0)
    assert result["q"] == traj.final.q.tolist()
    assert result["v"] == traj.final.v.tolist()
    assert result["parameters"] == {"m": 1.0, "stiffness": 0.0}
    assert result["energy_conserved"] is True
    assert abs(result["energy_final"] - result["energy_initial"]) <= result["energy_error_max"]
    assert result["constraint_residual_max"] < 1e-14
    assert set(result["invariant_drift_max"]) == set(particle.invariants)
    for name in ("wall_s", "compile_s", "newton_residual_max"):
        assert result[name] >= 0


def test_run_report(dalembert):
    code, out, err = dalembert("run", *PARTICLE, *SHORT)
    assert (code, err) == (0, "")
    assert "nonholonomic-particle, gni-trapezoidal" in out
    assert "constraint residual" in out and "at t = 2" in out


def test_end_time_parameters_and_start(dalembert):
    start = ("--q0", "0,-1/2,3", "--v0", "1,0.25,-0.5", "--set", "m=2/3", "--t0", "1")
    code, out, _ = dalembert("run", *PARTICLE, *start, "--t", "3", "--h", "0.1", "--json")
    assert code == 0
    result = last_json(out)
    assert result["parameters"]["m"] == 2 / 3
    assert (result["steps"], result["t0"]) == (20, 1.0)
    q0, v0 = [0.0, -0.5, 3.0], [1.0, 0.25, -0.5]
    q, _ = da.systems.NonholonomicParticle().closed_form(2.0, np.array(q0), np.array(v0))
    np.testing.assert_allclose(result["q"], q, atol=1e-3)


def test_tolerance(dalembert, refused):
    exact = systems["knife-edge"]().closed_form(1.0)[0]
    asked = ("run", "knife-edge", "--t", 1, "--tol", 1e-4, "--json")
    for method, more in (("taylor", ()), ("gauss-2", ("--method", "gauss-2"))):
        code, out, _ = dalembert(*asked, *more)
        told = last_json(out)
        assert (code, told["t"], told["tol"], told["method"]) == (0, 1.0, 1e-4, method)
        assert told["error_estimate"] <= 1e-4
        assert np.max(np.abs(told["q"] - np.asarray(exact))) < 1e-4
    assert told["h"] == pytest.approx(1.0 / told["steps"])
    for more in (("--h", 0.1), ("--steps", 3)):
        told = refused("run", "knife-edge", "--t", 1, "--tol", 1e-4, *more)
        assert "--tol chooses the step" in told
    told = refused("run", "knife-edge", "--t", 1, "--tol", 3)
    assert "tol must be a number between 0 and 1" in told


ROBOT = """
from dalembert import parts

def cart(mass=2.0):
    return parts.build(parts.Body("cart", mass), parts.Prismatic("cart"), name="my cart")

made = cart(3.0)
nothing = lambda: 3
"""


def test_functions_that_make_systems(dalembert, refused, write):
    file = write(ROBOT, "robot.py")
    assert reading.make_system(f"{file}:cart", ["mass=4"]).parameters()["cart.mass"] == 4.0
    found = reading.make_system(f"{file}:made", ["cart.mass=5"])
    assert found.parameters()["cart.mass"] == 5.0 and found.name() == "my-cart"
    code, out, _ = dalembert("systems", f"{file}:cart")
    assert code == 0 and "my-cart" in out and "cart.mass" in out
    assert "makes a int, not a system" in refused("analyze", f"{file}:nothing")
    assert "parameter" in refused("analyze", f"{file}:cart", "--set", "weight=3")


def test_project(dalembert):
    args = ("run", *PARTICLE, *SHORT, "--v0", "1,1,1", "--project", "--json")
    code, out, _ = dalembert(*args)
    assert code == 0
    assert last_json(out)["constraint_residual_max"] < 1e-14


def test_entries_of_a_product_are_flat():
    ball = da.systems.ChaplyginBall()
    q, v = reading.initial_data(ball, "1,2,1,0,0,0,1,0,0,0,1", None)
    np.testing.assert_array_equal(q[0], [1.0, 2.0])
    np.testing.assert_array_equal(q[1], np.eye(3))
    np.testing.assert_array_equal(v, own_start(ball)[1])


def test_a_group_alone_needs_no_position():
    suslov = da.systems.Suslov()
    q, v = reading.initial_data(suslov, None, "0.1,0.2,0.3")
    assert np.size(q) == 0 and v == [0.1, 0.2, 0.3]


@pytest.mark.parametrize(
    "text, value",
    [
        ("2", 2.0),
        ("-1e-3", -1e-3),
        ("2/3", 2 / 3),
        (" -pi/2", -np.pi / 2),
        ("(1+2)*3", 9.0),
        ("+.5", 0.5),
    ],
)
def test_numbers(text, value):
    assert reading.number(text) == value


@pytest.mark.parametrize("text", ["", "abc", "1/0", "2**3", "__import__('os')", "1,2", "[1]", "1+"])
def test_not_numbers(text):
    with pytest.raises(da.UsageError, match="not a number"):
        reading.number(text)


def test_set_kinds():
    matrix = reading.make_system("suslov", ["inertia=5,1,0;1,4,0;0,0,3"]).inertia
    np.testing.assert_array_equal(matrix, [[5, 1, 0], [1, 4, 0], [0, 0, 3]])
    assert reading.make_system("chaotic-quartic", ["n=2"]).n == 2
    ball = reading.make_system("chaplygin-ball", ["inertia=1,0.9,3/4", "Theta=-1"])
    np.testing.assert_array_equal(ball.inertia, [1.0, 0.9, 0.75])
    assert ball.Theta == -1.0


@pytest.mark.parametrize("name", systems)
def test_parameters_are_shown_as_set_takes_them(name):
    facts = showing.facts(reading.make_system(name))
    settings = [f"{p['name']}={showing.joined(p['default'])}" for p in facts["parameters"]]
    settings = [x for x in settings if not x.endswith("=none")]
    again = reading.make_system(name, settings).parameters()
    for key, value in systems[name]().parameters().items():
        if value is not None:
            np.testing.assert_allclose(again[key], value, rtol=1e-5)


def test_json_has_no_nan(capsys):
    showing.print_json({"a": [np.nan, np.inf, 1.0], "b": np.float64(-np.inf), "c": np.arange(2)})
    assert last_json(capsys.readouterr().out) == {"a": [None, None, 1.0], "b": None, "c": [0, 1]}


# -- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".zarr", ".nc"])
def test_out_can_be_loaded(dalembert, tmp_path, suffix):
    if suffix == ".nc":
        pytest.importorskip("h5py")
    file = tmp_path / f"run{suffix}"
    code, out, _ = dalembert("run", *PARTICLE, *SHORT, "--out", file, "--json")
    assert code == 0
    result = last_json(out)
    assert result["out"] == str(file)
    assert da.load(file).final.q.tolist() == result["q"]


def test_out_csv_every_fifth_row(dalembert, tmp_path):
    file = tmp_path / "run.csv"
    code, out, _ = dalembert("run", *PARTICLE, *SHORT, "--save-every", "5", "--out", file)
    assert code == 0
    assert f"trajectory: {file}" in out
    assert len(file.read_text().splitlines()) == 6


def test_plot(dalembert, tmp_path):
    file = tmp_path / "run.png"
    code, out, err = dalembert("run", *PARTICLE, *SHORT, "--plot", file, "--theme", "dark")
    assert (code, err) == (0, "")
    assert f"picture: {file}" in out
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "option, name, message",
    [
        ("--out", "run.txt", "unknown suffix '.txt'; known: .zarr, .nc, .csv"),
        ("--out", "run", "no suffix"),
        ("--out", "missing/run.csv", "does not exist"),
        ("--plot", "run.jpg", "known: .png, .svg, .pdf"),
        ("--plot", "missing/run.png", "does not exist"),
    ],
)
@pytest.mark.usefixtures("no_run")
def test_bad_file_is_found_before_the_run(refused, tmp_path, option, name, message):
    assert message in refused("run", *PARTICLE, option, tmp_path / name)


def test_failure_to_write_after_the_run(dalembert, tmp_path, monkeypatch):
    def save(self, path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(da.Trajectory, "save", save)
    code, _, err = dalembert("run", *PARTICLE, *SHORT, "--out", tmp_path / "run.csv")
    assert (code, err) == (1, "dalembert: [Errno 28] No space left on device\n")


# -- mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args, message",
    [
        (["chaplygin-slegh"], "unknown system 'chaplygin-slegh'; did you mean chaplygin-sleigh"),
        (["suslov", "--method", "gni-midpiont"], "did you mean gni-midpoint"),
        (["suslov:Suslov"], "a file is written path/to/file.py:ClassName"),
        (["missing.py:Mine"], "cannot read 'missing.py': there is no such file"),
        (["suslov", "--steps", "3", "--t", "1"], "--steps or --t, not both"),
        (["suslov", "--t", "1", "--h", "0.3"], "--h 0.3 does not divide the time from 0 to 1"),
        (["suslov", "--t", "1", "--h", "0"], "--h must be positive"),
        (["suslov", "--t", "1", "--t0", "2"], "--t 1 is not after the initial time 2"),
        (["suslov", "--h", "-0.1"], "h must be positive"),
        (["suslov", "--h", "nan"], "h must be finite"),
        (["suslov", "--steps", "0"], "steps must be at least 1"),
        (["suslov", "--save-every", "0"], "save_every must be at least 1"),
        (["knife-edge", "--set", "m"], "--set m: write NAME=VALUE"),
        (["knife-edge", "--set", "m=one"], "--set m=one: 'one' is not a number"),
        (["knife-edge", "--set", "m="], "a number is missing"),
        (["knife-edge", "--set", "mass=1"], "unknown parameter of knife-edge 'mass'"),
        (["knife-edge", "--set", "m=-1"], "parameter 'm' must be positive, got -1.0"),
        (["knife-edge", "--set", "m=1,2;3"], "the rows of a matrix have the same length"),
        (["chaotic-quartic", "--set", "n=2.5"], "'n' must be an integer"),
        (["ball-on-turntable-euler", "--set", "omega=1"], "'omega' is a function"),
        (["chaplygin-ball", "--set", "inertia=1,1"], "must have shape (3,), got (2,)"),
        (["knife-edge", "--q0", "1,2"], "--q0 needs 3 numbers (x, y, theta), got 2"),
        (["knife-edge", "--q0", "1,2,x"], "--q0 1,2,x: 'x' is not a number"),
        (["knife-edge", "--v0", "1"], "--v0 needs 3 numbers (x_dot, y_dot, theta_dot), got 1"),
        (["knife-edge", "--v0", "0,0,inf"], "v0 must be finite"),
        (["benenti", "--method", "gni-midpoint"], "gni-midpoint needs constraints linear or"),
        (["chaplygin-ball", "--q0", "1,2,1,0,0,0,1,0,0,0,2"], "not an element of SO(3)"),
    ],
)
def test_refused(refused, args, message):
    assert message in refused("run", *args)


def test_inconsistent_velocity_is_refused_with_advice(refused):
    message = refused("run", *PARTICLE, *SHORT, "--v0", "1,1,1")
    assert "v0 is not on the constraint, largest residual 5.000e-01; --project" in message
    assert "consistent_velocity" not in message


@pytest.mark.parametrize(
    "args",
    [
        ["run", "knife-edge", "--h", "abc"],
        ["run", "knife-edge", "--steps", "1.5"],
        ["run", "knife-edge", "--theme", "pink"],
        ["run", "knife-edge", "--unknown"],
        ["run"],
        ["simulate"],
    ],
)
def test_refused_by_the_parser(dalembert, args):
    code, out, err = dalembert(*args)
    assert (code, out) == (2, "") and "Traceback" not in err and err


# -- runs that fail ------------------------------------------------------------------------------


def test_failing_run_keeps_what_was_computed(dalembert, write, tmp_path):
    system, file = f"{write(RUNAWAY)}:Runaway", tmp_path / "part.zarr"
    args = ("run", system, "--method", "rk4", "--h", "0.1", "--steps", "100")
    code, out, err = dalembert(*args, "--out", file, "--json")
    rows = len(da.load(file))
    assert code == 1
    assert f"dalembert: the {rows} rows until the failure are in {file}" in err
    assert "infinite or not a number" in err and ".trajectory" not in err
    result = last_json(out)
    assert result["rows"] == rows > 1
    assert result["step"] == rows and result["out"] == str(file) and "error" in result


def test_failing_run_tells_how_to_keep_it(dalembert, write):
    args = ("run", write(RUNAWAY), "--method", "rk4", "--h", "0.1", "--steps", "100")
    code, out, err = dalembert(*args)
    assert (code, out) == (1, "")
    assert "--out FILE keeps them" in err and "Traceback" not in err


def test_interrupted_run(dalembert, monkeypatch):
    def simulate(*args, **kwargs):
        raise da.SimulationError("interrupted at step 7") from KeyboardInterrupt()

    monkeypatch.setattr("dalembert.running.simulate", simulate)
    code, _, err = dalembert("run", *PARTICLE)
    assert code == 130 and "interrupted at step 7" in err


def test_out_of_memory(dalembert, monkeypatch):
    def simulate(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr("dalembert.running.simulate", simulate)
    code, _, err = dalembert("run", *PARTICLE)
    assert (code, err) == (1, "dalembert: out of memory; --save-every K keeps fewer rows\n")


# -- a user's own file ---------------------------------------------------------------------------


def test_user_file(dalembert, write):
    args = ("--method", "rk4", "--h", "0.1", "--steps", "10", "--set", "k=4", "--json")
    code, out, _ = dalembert("run", f"{write(OSCILLATOR)}:Oscillator", *args)
    assert code == 0
    result = last_json(out)
    assert result["system"] == "oscillator" and result["parameters"] == {"k": 4.0}
    np.testing.assert_allclose(result["q"], [np.cos(2.0), 0.25 * np.sin(2.0)], atol=1e-4)


def test_user_file_imports_its_neighbors(write):
    write("RATE = 3.0\n", "neighbor_of_mine.py")
    file = write("from neighbor_of_mine import RATE\n" + OSCILLATOR.replace("(1.0,", "(RATE,"))
    assert reading.make_system(str(file)).k == 3.0


BAD_FILES = {
    "syntax": ("x = (\n", ":1: '(' was never closed"),
    "import": ("import dalembert\n\nx = 1 / 0\n", ":3: ZeroDivisionError: division by zero"),
    "exit": ("raise SystemExit(3)\n", ":1: SystemExit: 3"),
    "empty": ("x = 1\n", "has no class derived from dalembert.System"),
    "class": (OSCILLATOR, "unknown class of"),
    "abstract": ("import dalembert as da\nclass Mine(da.System): pass\n", "no method `lagrangian"),
    "other": ("class Mine: pass\n", "Mine is not a class derived from dalembert.System"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_bad_user_file(refused, write, kind):
    text, message = BAD_FILES[kind]
    assert message in refused("run", f"{write(text)}:Mine")


def test_several_systems_in_a_file(refused, write):
    file = write(OSCILLATOR + RUNAWAY)
    assert f"several systems: {file}:Oscillator or {file}:Runaway" in refused("run", file)


def test_parameter_without_default(refused, write):
    file = write(OSCILLATOR.replace('(1.0, "N/m", ', '(unit="N/m", doc='))
    assert "parameter 'k' has no default: --set k=VALUE" in refused("run", file)


@pytest.mark.parametrize(
    "broken, line, message",
    [
        ("return 0.5 * v @ w", 11, "NameError: name 'w' is not defined"),
        ("return 0.0 if v[0] > 0 else 1.0", None, "jnp.where, not if"),
        ("return v", None, "oscillator.lagrangian must return shape (), got (2,)"),
    ],
)
def test_mistake_in_a_lagrangian(refused, write, monkeypatch, tmp_path, broken, line, message):
    write(OSCILLATOR.replace("return 0.5 * v @ v - 0.5 * self.k * q @ q", broken))
    monkeypatch.chdir(tmp_path)
    err = refused("run", "mine.py:Oscillator")
    assert message in err
    assert line is None or err.startswith(f"dalembert: mine.py:{line}: ")


def test_no_initial_data(refused, write):
    file = write(OSCILLATOR.partition("    def initial")[0])
    assert "no default initial data: give q0 and v0" in refused("run", file)


# -- compare -------------------------------------------------------------------------------------


def test_compare(dalembert, tmp_path):
    picture = tmp_path / "compare.svg"
    args = ("compare", "nonholonomic-particle", "--method", "gni-trapezoidal", "--method", "rk4")
    code, out, err = dalembert(*args, "--h", "0.1", "--t", "2", "--plot", picture, "--json")
    assert (code, err) == (0, "")
    result = last_json(out)
    assert result["energy"] == "energy error" and result["energy_conserved"] is True
    rows = {row["method"]: row for row in result["methods"]}
    assert list(rows) == ["gni-trapezoidal", "rk4", "reference"]
    assert 1e-6 < rows["gni-trapezoidal"]["error"] < 1e-2
    assert rows["rk4"]["error"] < 1e-5 and rows["reference"]["error"] is None
    assert rows["gni-trapezoidal"]["constraint_residual_max"] < 1e-14
    assert "gni-trapezoidal" in picture.read_text()
    code, out, _ = dalembert(*args, "--h", "0.1", "--t", "2")
    assert code == 0
    assert all(word in out for word in ("µs per step", "compile s", "constraint residual", "rk4"))


def test_compare_goes_on_when_a_run_fails(dalembert, write):
    args = ("--method", "rk4", "--h", "0.1", "--steps", "8")
    code, out, err = dalembert("compare", write(RUNAWAY), *args, "--json")
    rows = {row["method"]: row for row in last_json(out)["methods"]}
    assert code == 1 and "reference on runaway" in err
    assert rows["reference"]["failure"] and rows["reference"]["us_per_step"] is None
    assert rows["rk4"]["failure"] is None


@pytest.mark.parametrize(
    "args, message",
    [
        (["benenti"], "gni-midpoint needs constraints linear or affine"),
        (["suslov", "--method", "rk5"], "unknown method 'rk5'; did you mean rk4"),
        (["suslov", "--plot", "missing/x.png"], "does not exist"),
    ],
)
@pytest.mark.usefixtures("no_run")
def test_compare_refused(refused, args, message):
    assert message in refused("compare", *args)


# -- as a process --------------------------------------------------------------------------------


def test_as_a_process_with_a_reader_that_leaves():
    command = [sys.executable, "-m", "dalembert", "systems"]
    paths = [str(Path(da.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), err) == (0, b"")


def test_a_spoiled_run_warns_on_stderr_and_in_json(dalembert, tmp_path):
    spoiled = ("chaplygin-sleigh", "--method", "gni-midpoint", "--h", "0.1", "--steps", "400")
    code, out, err = dalembert("run", *spoiled, "--json", "--save-every", "400")
    assert code == 0
    (told,) = last_json(out)["warnings"]
    assert err == f"dalembert: WARNING: {told}\n"
    assert "larger than the error of the method" in told
    store = str(tmp_path / "run.zarr")
    assert dalembert("run", *spoiled, "--store", store)[2] == err
    code, out, again = dalembert("resume", store, "--json")
    assert (code, again, last_json(out)["warnings"]) == (0, err, [told])
    code, out, compared = dalembert(
        "compare", spoiled[0], *spoiled[3:], "--method", "gni-midpoint", "--json"
    )
    assert compared == err
    methods = {run["method"]: run["warnings"] for run in last_json(out)["methods"]}
    assert methods == {"gni-midpoint": [told], "reference": []}
