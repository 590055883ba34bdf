"""Answers that were wrong and said success, crashes, leaks: each finding with its reproduction.

Named after the list that they were found in, so that `pytest -k finding` runs them; findings whose
mend has a test file of its own are tested there under the same kind of name.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.cli import main
from dalembert.errors import SimulationError, UsageError
from dalembert.methods import registry

PARTICLE = da.systems.NonholonomicParticle()


# -- A2: residuals are judged at the solution ------------------------------------------------------


def off_constraint(traj: da.Trajectory) -> float:
    """|A v| as a part of |A| |v|, entry by entry, of a particle with z' = y x'."""
    q, v = traj.q[-1], traj.v[-1]
    return abs(v[2] - q[1] * v[0]) / max(abs(v[2]) + abs(q[1] * v[0]), 1e-300)


@pytest.mark.parametrize("name", ["leapfrog", "mp-euler-adjoint", "mp-midpoint", "gauss-2"])
def test_finding_a2_on_the_constraint_or_an_error(name):
    method, told = registry[name](), 0
    for speed in (1e-8, 1.0, 1e4, 1e6, 1e16):
        for h in (1e-6, 1e-2, 0.1, 10.0):
            v0 = [1.0, speed, 0.5]
            try:
                traj = da.simulate(PARTICLE, method, [1.0, 0.5, 0.0], v0, h=h, steps=1)
            except SimulationError:
                told += 1
            else:
                assert off_constraint(traj) < 1e-12, (speed, h)
    assert told < 16  # most of them can be done


@pytest.mark.parametrize(("speed", "h"), [(1.0, 1.0), (1e4, 10.0), (1e12, 10.0), (1e16, 0.01)])
def test_finding_a2_fast_motions_by_leapfrog_are_right_to_the_last_digit(speed, h):
    """Its equation is linear here, and solved as such: against fractions, which do not round."""
    traj = da.simulate(PARTICLE, da.Leapfrog(), [1.0, 0.5, 0.0], [1.0, speed, 0.5], h=h, steps=1)
    _, y, _ = map(Fraction, traj.q[0].tolist())
    vx, vy, vz = map(Fraction, traj.v[0].tolist())
    h = Fraction(h)
    middle, y = y + h / 2 * vy, y + h * vy
    lam = (y * vx - vz) / (1 + middle * y)
    vx, vz = vx - middle * lam, vz + lam
    for found, right in zip(traj.v[1].tolist(), (vx, vy, vz)):
        assert abs(Fraction(found) - right) <= Fraction(1, 2**52) * abs(right)


def test_finding_a2_on_the_command_line(capsys):
    def run(method, speed):
        options = ["--method", method, "--h", "0.01", "--steps", "1", "--v0", f"1,{speed},0.624"]
        return main(["run", "nonholonomic-particle", *options, "--project", "--json"])

    assert run("leapfrog", "1e16") == 0
    assert run("dla-midpoint", "1e100") == 1
    assert "did not converge" in capsys.readouterr().err


class Careless(da.methods.Method):
    """Drifts off the constraint, and claims that it does not."""

    name = "careless"
    traits = da.methods.Traits(1, 1, False, True, "the constraint", "none", on_constraint=True)

    def start(self, system, t, h, q, v):
        lam = jnp.zeros(1)
        return (q, v), da.methods.exact_row(t, q, v, v, lam)

    def step(self, system, t, h, carry):
        q, v = carry[0] + h * carry[1], carry[1]
        row = da.methods.exact_row(t + h, q, v, v, jnp.zeros(1))
        return da.methods.Advance((q, v), row, system.groupoid.group.identity())


class Modest(Careless):
    """The same without the claim."""

    name = "modest"
    traits = da.methods.Traits(1, 1, False, True, "not the constraint", "none")


def test_finding_a2_a_step_off_the_constraint_fails_for_every_method():
    with pytest.raises(SimulationError, match=r"off the constraint.* at step 1"):
        da.simulate(PARTICLE, Careless(), h=0.1, steps=3)
    many = da.simulate_ensemble(PARTICLE, Careless(), *start_of_many(), h=0.1, steps=3)
    assert len(many.failed) == 2 and "off the constraint" in many.failed[0]
    drifted = da.simulate(PARTICLE, Modest(), h=0.1, steps=3)  # whatever its sentence says
    assert len(drifted) == 4 and "off the constraint" in drifted.warnings[0]


def start_of_many():
    return tuple(np.stack([np.asarray(x)] * 2) for x in PARTICLE.initial())


# -- A7: a run does not go on where L is not a number ----------------------------------------------


class Wall(da.MechanicalSystem):
    """The gradient of its potential is finite behind x = 1, the potential is not."""

    mass = jnp.eye(2)
    space = da.Euclidean(2)

    def potential(self, q):
        return -1e-3 * jnp.log(1 - q[0])


class HiddenWall(Wall):
    """The same behind a zero that is known when the step is compiled."""

    def potential(self, q):
        return 0.0 * jnp.log(1 - q[0])


START = np.array([0.05, 0.0]), np.array([1.0, 0.3])


@pytest.mark.parametrize("system", [Wall(), HiddenWall()], ids=["wall", "hidden"])
def test_finding_a7_nan_in_the_lagrangian(system):
    with pytest.raises(SimulationError, match="not a number") as error:
        da.simulate(system, da.RK4(), *START, h=0.1, steps=40)
    kept = error.value.trajectory
    assert np.all(kept.q[:, 0] < 1.0) and len(kept) >= 10
    with pytest.raises(SimulationError, match="not a number"):
        da.simulate(system, da.RK4(), *START, h=0.1, steps=40, save_every=40)
    # behind a known zero the first step tells, else the start
    with pytest.raises(da.DalembertError, match=r"not finite|not a number"):
        da.simulate(system, da.RK4(), np.array([2.0, 0.0]), START[1], h=0.1, steps=1)


def test_finding_a7_in_transformations_and_ensembles():
    traj = jax.jit(lambda v: da.simulate(Wall(), da.RK4(), START[0], v, h=0.1, steps=20))(START[1])
    assert np.flatnonzero(traj.result)[0] >= 10
    two = tuple(np.stack([x, 0.1 * x]) for x in START)
    many = da.simulate_ensemble(Wall(), da.RK4(), *two, h=0.1, steps=20, save_every=1)
    assert list(many.failed) == [0] and len(many[0]) < 21 == len(many[1])


# -- A8: far from the origin -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gni-midpoint", "dla-midpoint"])
def test_finding_a8_shifted_far_away(name):
    sleigh, method = da.systems.ChaplyginSleigh(), registry[name]()
    q0, v0 = map(np.asarray, sleigh.initial())
    runs = [
        da.simulate(sleigh, method, q0 + np.array([0.0, shift, 0.0]), v0, h=0.01, steps=50)
        for shift in (0.0, 1e12)
    ]
    assert np.max(np.abs(runs[0].v - runs[1].v)) < 1e-9


def test_finding_a8_a_swallowed_move_is_told(capsys):
    far = [1e20, 0.5e20, 3e19]
    still = da.simulate(Free(), da.RK4(), far, [1.0, 2.0, 3.0], h=0.1, steps=3)
    (text,) = still.warnings
    assert "hides the motion" in text
    partly = da.simulate(Free(), da.RK4(), [1e20, 0.0, 0.0], [1.0, 2.0, 3.0], h=0.1, steps=3)
    at_rest = da.simulate(Free(), da.RK4(), far, [0.0, 0.0, 0.0], h=0.1, steps=3)
    wholly = da.simulate(Free(), da.RK4(), [0.0, 0.0, 0.0], [1.0, 2.0, 3.0], h=0.1, steps=3)
    assert not (partly.warnings or at_rest.warnings or wholly.warnings)


def test_finding_a8_a_resumed_run_has_swallowed_moves_of_before(tmp_path):
    start = ([1e20, 0.5e20, 3e19], [1.0, 2.0, 3.0])
    given = {"h": 0.1, "steps": 3, "store": tmp_path / "still.zarr"}
    still = da.simulate(Free(), da.RK4(), *start, **given)
    again = da.resume(given["store"], Free())
    assert still.warnings and again.warnings == still.warnings


class Free(da.MechanicalSystem):
    """A free particle."""

    mass = jnp.eye(3)
    space = da.Euclidean(3)


def test_finding_a8_a_time_that_stands_still_is_refused():
    with pytest.raises(UsageError, match="the time would not advance"):
        da.simulate(Free(), da.RK4(), np.zeros(3), np.ones(3), h=0.01, steps=3, t0=1e15)


# -- A9: holonomic functions at the level of positions ---------------------------------------------


class Pendulum(da.System):
    """A mass on a sphere, with a blade that lets it move along level curves or up in one way."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * (v @ v) + 0.1 * q[0] * v[1] ** 2 - 9.81 * q[2]

    def holonomic(self, q):
        return jnp.array([q @ q - 1.0])

    def initial(self):
        return jnp.array([1.0, 0.0, 0.0]), jnp.array([0.0, 1.0, 0.5])


@pytest.mark.parametrize("name", ["gni-midpoint", "dla-midpoint", "gauss-2", "rk4", "reference"])
def test_finding_a9_positions_stay_on_holonomic_functions(name):
    traj = da.simulate(Pendulum(), registry[name](), h=0.02, steps=200)
    assert np.max(np.abs(da.diagnostics.holonomic_residual(Pendulum(), traj))) < 1e-13
    row = da.diagnostics.report(Pendulum(), traj)["holonomic residual, max"]
    assert row.verdict == "round-off"


def test_finding_a9_gni_keeps_order_and_symmetry():
    exact = da.simulate(Pendulum(), da.Reference(), h=0.5, steps=1).final.q
    errors = [
        np.max(np.abs(da.simulate(Pendulum(), da.GNI(), h=0.5 / n, steps=n).final.q - exact))
        for n in (20, 40, 80)
    ]
    assert 1.8 < np.log2(errors[1] / errors[2]) < 2.2, errors
    from dalembert.running.api.simulate import there_and_back

    q0, v0 = Pendulum().initial()
    q, v = there_and_back(Pendulum(), da.GNI(), q0, v0, h=0.02, steps=50)
    np.testing.assert_allclose(q, q0, atol=1e-11)
    np.testing.assert_allclose(v, v0, atol=1e-10)


def test_finding_a9_the_round_off_of_positions_is_no_speed():
    """Over a very small h it looks like one, and Gauss did not converge."""
    traj = da.simulate(Pendulum(), da.Gauss(2), h=1e-6, steps=200)
    assert np.max(np.abs(da.diagnostics.holonomic_residual(Pendulum(), traj))) < 1e-15


class Bead(da.MechanicalSystem):
    mass = jnp.eye(3)
    space = da.Euclidean(3)

    def holonomic(self, q):
        return jnp.array([q @ q - 1.0])


@pytest.mark.parametrize("name", ["leapfrog", "shake", "mp-euler", "lobatto-2", "energy-gauss-2"])
def test_finding_a9_methods_that_would_drift_refuse(name):
    with pytest.raises(UsageError, match=r"holonomic (function|constraint).*use Gauss"):
        da.simulate(Bead(), registry[name](), *Pendulum().initial(), h=0.1, steps=1)


def test_finding_a9_the_start_is_projected(tmp_path, capsys):
    q0, v0 = np.array([1.1, 0.0, 0.2]), np.array([0.0, 1.0, 0.5])
    with pytest.raises(UsageError, match=r"q0 is not on the holonomic.*project=True"):
        da.simulate(Pendulum(), da.RK4(), q0, v0, h=0.02, steps=1)
    traj = da.simulate(Pendulum(), da.RK4(), q0, v0, h=0.02, steps=1, project=True)
    assert np.max(np.abs(da.diagnostics.holonomic_residual(Pendulum(), traj))) < 1e-14
    file = tmp_path / "bead.py"
    file.write_text(
        "import jax.numpy as jnp\nimport dalembert as da\n\n\nclass Bead(da.MechanicalSystem):\n"
        "    mass = jnp.eye(2)\n    space = da.Euclidean(2)\n\n"
        "    def holonomic(self, q):\n        return jnp.array([q @ q - 1.0])\n"
    )
    data = ["--q0", "1.2,0", "--v0", "0.1,1", "--project", "--steps", "3", "--json"]
    assert main(["run", f"{file}:Bead", "--method", "rk4", *data]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["holonomic_residual_max"] < 1e-14


# -- A5: stores ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A store of three blocks, 256 rows each and a few in the checkpoint, and its rows."""
    from dalembert.storage import store

    path, size = tmp_path_factory.mktemp("a5") / "run.zarr", store._BLOCK_BYTES
    store._BLOCK_BYTES = 1
    try:
        da.simulate(PARTICLE, da.Leapfrog(), h=0.01, steps=800, store=path)
    finally:
        store._BLOCK_BYTES = size
    return path, da.load(path)


@pytest.fixture
def copied(stored, tmp_path):
    import shutil

    return shutil.copytree(stored[0], tmp_path / "run.zarr"), stored[1]


def test_finding_a5_flipped_bits(copied):
    """Whatever bit is flipped: what loads is right, or it is refused."""
    path, rows = copied
    chance, refused = random.Random(3), 0
    files = sorted(f for f in path.rglob("*") if f.is_file() and f.stat().st_size)
    for _ in range(12):  # `tests.fuzz.files` has more of it
        file = chance.choice(files)
        whole = file.read_bytes()
        bits = bytearray(whole)
        bits[chance.randrange(len(bits))] ^= 1 << chance.randrange(8)
        file.write_bytes(bits)
        try:
            assert da.load(path).equals(rows), file
        except UsageError:
            refused += 1
        file.write_bytes(whole)
    assert refused > 6  # but for the lock, which nobody reads, and blanks of metadata


def test_finding_a5_damaged_blocks_are_named_and_the_others_offered(copied):
    path, rows = copied
    block = path / "v" / "1.0"
    whole = block.read_bytes()
    for broken in (whole[: len(whole) // 2], b"", None):
        block.unlink() if broken is None else block.write_bytes(broken)
        held = []  # tracebacks, which must not hold the lock
        for read in (da.load, da.resume, da.resume):
            with pytest.raises(
                UsageError, match=r"v/1\.0 \(rows 256 to 511\).*skip_damaged"
            ) as told:
                read(path)
            held.append(told)
        good = da.load(path, skip_damaged=True)
        np.testing.assert_array_equal(good.q, np.delete(rows.q, range(256, 512), axis=0))
    (path / "checkpoint.npz").write_bytes(b"nothing")
    block.write_bytes(whole)
    with pytest.raises(UsageError, match=r"checkpoint.npz' is damaged.*skip_damaged"):
        da.load(path)
    np.testing.assert_array_equal(da.load(path, skip_damaged=True).q, rows.q)


def test_finding_a5_unwritten_rows_are_nan_and_the_store_says_so(tmp_path):
    import xarray

    path = tmp_path / "run.zarr"
    sooner = lambda t, q, v: t > 0.055
    with pytest.raises(SimulationError):
        da.simulate(HiddenWall(), da.RK4(), *START, h=0.1, steps=40, store=path)
    with xarray.open_zarr(path) as data:  # without us
        assert data.attrs["complete"] is False
        assert np.all(np.isfinite(data["q"][:10])) and np.all(np.isnan(data["q"][10:]))
    other = tmp_path / "other.zarr"
    da.simulate(PARTICLE, da.Leapfrog(), h=0.01, steps=20, store=other, stop_when=sooner)
    with xarray.open_zarr(other) as data:
        assert data.attrs["complete"] is True


def test_finding_b6_one_writer_at_a_time(copied):
    from dalembert.storage.store import Store

    path, rows = copied
    first = Store.open(path)
    first.take_over()
    with pytest.raises(UsageError, match="another process"):
        da.resume(path)
    del first  # the lock goes with who held it
    assert da.resume(path).q[-1].tolist() == rows.q[-1].tolist()


def test_finding_b2_a_pickle_codec_is_not_trusted(copied):
    path, _ = copied
    file = path / "v" / ".zarray"
    described = json.loads(file.read_text())
    described["filters"] = [{"id": "pickle", "protocol": 5}]
    file.write_text(json.dumps(described))
    for read in (da.load, da.resume):
        with pytest.raises(UsageError, match=r"codec pickle.*does not trust"):
            read(path)


# -- B2, B6: crashes -------------------------------------------------------------------------------


def command(*args: str, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "dalembert", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
        text=True,
    )


def told(process: subprocess.Popen) -> tuple[int, str]:
    _, err = process.communicate(timeout=300)
    assert "Traceback" not in err, err
    return process.returncode, err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_finding_b2_stdout_full_or_closed():
    line = [sys.executable, "-m", "dalembert", "methods"]
    for shell, words in (('"$@" > /dev/full', "No space left"), ('"$@" >&-', "stdout is closed")):
        done = subprocess.run(["bash", "-c", shell, "-", *line], capture_output=True, text=True)
        assert done.returncode == 1 and words in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("suffix", [".nc", ".csv", ".zarr"])
def test_finding_b2_a_full_disk(tmp_path, capsys, monkeypatch, suffix):
    """One line, exit 1, what was there before stays, the rows go where there is room."""
    import tempfile

    resource = pytest.importorskip("resource")
    out, run = tmp_path / f"rows{suffix}", ["run", "knife-edge", "--method", "rk4", "--steps"]
    assert main([*run, "10", "--out", str(out)]) == 0
    before = sorted((x, x.read_bytes()) for x in tmp_path.rglob("*") if x.is_file())
    capsys.readouterr()
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, hard))  # no file may be larger
    try:
        assert main([*run, "2000", "--out", str(out)]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    told = capsys.readouterr().err
    assert told.startswith(f"dalembert: cannot write 'rows{suffix}': ") and told.count("\n") == 1
    assert "what was there before is untouched" in told
    assert sorted((x, x.read_bytes()) for x in tmp_path.rglob("*") if x.is_file()) == before


def test_finding_b2_rows_go_where_there_is_room(tmp_path, capsys, monkeypatch):
    import tempfile

    from dalembert.results import formats

    elsewhere, replacing = tmp_path / "elsewhere", formats.replacing
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))

    def full(target):
        if elsewhere not in target.parents:
            raise da.StoreError("cannot write 'rows.nc': No space left on device")
        return replacing(target)

    monkeypatch.setattr(formats, "replacing", full)
    out = tmp_path / "rows.nc"
    run = ["run", "knife-edge", "--method", "rk4", "--steps", "20", "--out", str(out)]
    assert main(run) == 1
    (file,) = elsewhere.glob("*/rows.nc")  # in a folder that is new
    assert str(file) in capsys.readouterr().err and len(da.load(file)) == 21


def test_finding_b2_environments_that_cannot_run():
    no_jit = command("run", "knife-edge", JAX_DISABLE_JIT="1")
    tpu = command("analyze", "knife-edge", JAX_PLATFORMS="tpu")  # runs need no backend
    code, text = told(no_jit)
    assert code == 2 and "JAX_DISABLE_JIT" in text
    code, text = told(tpu)
    assert code == 2 and "JAX_PLATFORMS=cpu" in text


def test_finding_b2_interrupted_while_importing():
    for wait in (0.3, 0.8):
        process = command("systems")
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        code, text = told(process)
        assert code in (0, 130, -signal.SIGINT) and (code != 130 or "interrupted" in text)


def test_finding_b6_sigterm_keeps_what_sigint_keeps(tmp_path, monkeypatch, capsys):
    from dalembert.running.programs.fixed_step import FixedStepProgram

    calls, advance = [], FixedStepProgram.advance

    def terminated(self, budget):
        calls.append(budget)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        return advance(self, budget)

    monkeypatch.setattr(FixedStepProgram, "advance", terminated)
    before, out = signal.getsignal(signal.SIGTERM), tmp_path / "out.csv"
    run = ["run", "nonholonomic-particle", "--method", "leapfrog", "--steps", "2000000000"]
    assert main([*run, "--save-every", "100", "--out", str(out)]) == 143
    assert "interrupted" in capsys.readouterr().err
    assert len(out.read_text().splitlines()) > 100
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("now", "function"),
        (lambda t, q, v: q > 0, "one truth value"),
        (lambda t: t, "TypeError"),
        (lambda t, q, v: t - 0.1, "compare it"),  # true at once: it is no zero
        (lambda t, q, v: None, "None is not"),
    ],
    ids=["text", "many", "arguments", "a number", "nothing"],
)
def test_finding_b2_bad_stop_rules(rule, words):
    with pytest.raises(UsageError, match=words):
        da.simulate(PARTICLE, da.Leapfrog(), h=0.1, steps=2, stop_when=rule)


def test_finding_b2_options_that_cannot_be(capsys):
    for wrong in (
        ["--steps", "4611686018427387903"],
        ["--set", "m=1e-310"],  # 1e-308 is right to the last digits
        ["--set", "m=1,2"],
        ["--set", "m=foo"],
    ):
        assert main(["run", "nonholonomic-particle", "--method", "leapfrog", *wrong]) in (1, 2)
        text = capsys.readouterr().err
        assert text.startswith("dalembert: ") and "Traceback" not in text
    assert "--set m=foo" in text  # C8: the setting, not only its value


# -- a small seed of the scripts in tests/fuzz -----------------------------------------------------


def test_finding_seed_of_the_fuzz(monkeypatch, capfd):
    from fuzz import commands

    monkeypatch.setattr(commands, "SYSTEMS", ("nonholonomic-particle",))
    monkeypatch.setattr(commands, "METHODS", ("leapfrog", "rk4"))
    found = commands.fuzz(60, seed=5)
    assert not any(found[how] for how in commands.BAD), capfd.readouterr().out
    assert found["success"] > 5 and found["exit 0"] > 3 and found["refused"] > 5


def test_finding_a2_seed_of_the_sweep():
    from fuzz import residuals

    # GNI at 1e12 m/s with steps of 10 s: two projections did not do
    for name, most in (("leapfrog", 4096), ("gni-euler-b", 10), ("mp-euler", 4096)):
        good, bad, of_terms, of_norms = residuals.worst(residuals.SYSTEMS[0], name)
        assert of_terms < most and of_norms < 16 and good > 15 and bad < 15


# -- A14, A15: rotations ---------------------------------------------------------------------------


class Body(da.System):
    """A free rigid body."""

    space = da.SO(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ (jnp.array([1.0, 1.5, 2.0]) * v)

    def initial(self):
        return jnp.eye(3), jnp.array([0.3, 1.0, 0.2])


def test_finding_a14_reference_does_not_depend_on_h():
    """Steps that turn the body by half a turn, and by several turns."""
    ends = [da.simulate(Body(), da.Reference(), h=12.0 / n, steps=n).final for n in (120, 4, 3, 1)]
    for end in ends[1:]:
        np.testing.assert_allclose(end.q, ends[0].q, atol=1e-9)
        np.testing.assert_allclose(end.v, ends[0].v, atol=1e-9)


class Turning(Body):
    """A body that does not turn about an axis fixed in it."""

    def constraint(self, q):
        return jnp.array([[0.2, 0.1, 1.0]])

    def initial(self):
        return jnp.eye(3), jnp.array([3.0, 2.0, -0.8])


class TurningExp(Turning):
    space = da.Pair(da.SO(3), tau="exp")


def test_finding_a15_what_the_docstring_of_pair_says():
    """GNI lags behind with Cayley's map, and not with the exponential; Gauss needs neither."""
    exact = da.simulate(Turning(), da.Reference(), h=2.0, steps=2).final

    def degrees_off(system, method):
        end = da.simulate(system, method, h=0.02, steps=200).final
        return np.degrees(np.linalg.norm(end.q - exact.q) / np.sqrt(2.0))

    lagging = degrees_off(Turning(), da.GNI())
    assert lagging > 1.0 and degrees_off(TurningExp(), da.GNI()) < 0.02 * lagging
    assert degrees_off(Turning(), da.Gauss(2)) < 1e-4


# -- B5, B7 ----------------------------------------------------------------------------------------


class Steered(da.MechanicalSystem):
    """A parameter that is an array."""

    push: jax.Array = da.parameter(jnp.zeros(2), "N", "push")
    space = da.Euclidean(2)
    mass = jnp.eye(2)

    def potential(self, q):
        return -self.push @ q


def test_finding_b5_array_parameters():
    assert Steered.parameter_table()[0][1] == [0.0, 0.0]
    traj = da.simulate(Steered(push=[1.0, 2.0]), da.RK4(), *START, h=0.1, steps=10)
    still = da.simulate(Steered(), da.RK4(), *START, h=0.1, steps=10)
    np.testing.assert_allclose(traj.q[-1] - still.q[-1], [0.5, 1.0])
    with pytest.raises(UsageError, match="shape"):
        Steered(push=1.0)
    assert da.parameter((1.0, 2.0)).metadata["dalembert"].shape == (2,)
    with pytest.raises(UsageError, match="a number, or an array of numbers"):
        da.parameter({"push": 1.0})


def test_finding_b7_meaningless_ends_are_told(tmp_path, capsys):
    """RK4 far above its limit of stability: exit 1, one line, the rows are kept."""
    out = tmp_path / "rows.csv"
    run = ["run", "nonholonomic-particle", "--method", "rk4", "--set", "stiffness=1", "--h", "2.5"]
    assert main([*run, "--steps", "30", "--json", "--out", str(out)]) == 1
    told = capsys.readouterr()
    assert told.err.count("\n") == 1 and "its numbers mean nothing" in told.err
    assert "mean nothing" in json.loads(told.out.splitlines()[-1])["warnings"][0]
    assert len(out.read_text().splitlines()) == 32
    assert main([*run[:-1], "0.01", "--steps", "30", "--json"]) == 0


def test_finding_b7_in_python_too():
    """The run itself says that it ends off the constraint; the report says what else is wrong."""
    system = da.systems.NonholonomicParticle(stiffness=1.0)
    traj = da.simulate(system, da.RK4(), h=2.5, steps=30, save=da.Final())
    assert len(traj.warnings) == 1 and "the run ends off the constraint" in traj.warnings[0]
    assert da.diagnostics.report(system, traj).warnings == traj.warnings
    q0, v0 = (np.stack([np.asarray(x)] * 3) for x in system.initial())
    v0[1] = 0.0
    q0[1] = 0.0  # at rest where nothing pulls
    many = da.simulate_ensemble(system, da.RK4(), q0, v0, h=2.5, steps=30)
    assert "(2 of 3 members are so)" in many.warnings[0]
    assert not da.simulate(system, da.RK4(), h=0.01, steps=30).warnings


class Falling(da.MechanicalSystem):
    """A pendulum that stands on its head, where the potential vanishes."""

    mass = jnp.eye(1)
    space = da.Euclidean(1)

    def potential(self, q):
        return jnp.cos(q[0]) - 1.0


class Spring(Falling):
    def potential(self, q):
        return 0.5 * q[0] ** 2


def test_finding_b7_a_start_without_energy_is_no_error():
    traj = da.simulate(Falling(), da.RK4(), [1e-6], [0.0], h=0.05, steps=800)
    error = da.diagnostics.energy_error(Falling(), traj)
    assert abs(error[-1]) > 1e-10 and not da.diagnostics.meaningless(Falling(), traj)
    for every in (1, 30, 60):  # few rows, of which most have burst, are no measure
        run = {"h": 3.0, "steps": 60, "save_every": every}
        lost = da.simulate(Spring(), da.RK4(), [1.0], [0.0], **run)  # stable up to 2.8
        assert "energy off by" in da.diagnostics.meaningless(Spring(), lost)[0]


class Damped(Falling):
    drag: float = 100.0

    def force(self, t, q, v):
        return -self.drag * v


def test_energy_that_friction_cannot_give_is_told():
    """RK4 is stable up to h drag = 2.8; behind it nothing of the energy balance is right."""
    start = [0.1], [1.0]
    wrong = da.simulate(Damped(), da.RK4(), *start, h=0.05, steps=40)
    assert (
        "the force takes energy in every row, yet"
        in da.diagnostics.report(Damped(), wrong).warnings[0]
    )
    for system, method, h in ((Damped(), da.RK4(), 0.01), (Damped(), da.Gauss(2), 0.5)):
        assert not da.diagnostics.report(
            system, da.simulate(system, method, *start, h=h, steps=40)
        ).warnings
    pushed = da.simulate(Damped(drag=-2.0), da.RK4(), *start, h=0.05, steps=100)  # gains, rightly
    assert not da.diagnostics.meaningless(Damped(drag=-2.0), pushed)


# -- A11, B1, B3, B4 -------------------------------------------------------------------------------


def test_finding_a11_single_precision_is_refused(stored):
    path, traj = stored
    jax.config.update("jax_enable_x64", False)
    try:
        for run in (da.simulate, da.simulate_ensemble):
            with pytest.raises(UsageError, match="jax_enable_x64"):
                run(Free(), da.RK4(), *START, h=0.1, steps=1)
        for look in (
            da.geometry.analyze,
            da.geometry.growth_vector,
            da.control.linearize,
            lambda x: da.dynamics.acceleration(x, *x.initial()),
            lambda x: da.diagnostics.report(x, traj),
            lambda x: da.resume(path),
        ):
            with pytest.raises(UsageError, match="jax_enable_x64"):
                look(da.systems.KnifeEdge())
    finally:
        jax.config.update("jax_enable_x64", True)


class AtTheOrigin(Free):
    """A holonomic function whose round-off at q = 0 is not zero."""

    def holonomic(self, q):
        return jnp.array([q[2] - 0.1 + 0.3 - 0.2])


def test_finding_b1_a_start_at_the_origin():
    v0, off = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1e-9])
    assert len(da.simulate(AtTheOrigin(), da.RK4(), np.zeros(3), v0, h=0.1, steps=2)) == 3
    with pytest.raises(UsageError, match="holonomic"):
        da.simulate(AtTheOrigin(), da.RK4(), off, v0, h=0.1, steps=2)


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="needs /proc")
def test_finding_b3_new_lengths_leave_nothing_behind():
    def maps() -> int:
        with open("/proc/self/maps") as file:
            return len(file.readlines())

    for steps in (5, 6):
        da.simulate(PARTICLE, da.Leapfrog(), h=0.1, steps=steps)[:4]
    before = maps()
    for steps in range(10, 40):
        da.simulate(PARTICLE, da.Leapfrog(), h=0.1, steps=steps)[: steps - 3]
    assert maps() - before < 20  # it was nine for each length, and fifteen for each slice


class Flat(Free):
    def constraint(self, q):
        return jnp.array([1.0, 0.0, 0.0])


def test_finding_b4_ensembles_check_shapes_too():
    two = np.zeros((2, 3))
    with pytest.raises(UsageError, match=r"constraint must return one row of 3 numbers"):
        da.simulate_ensemble(Flat(), da.RK4(), two, two, h=0.1, steps=1)
