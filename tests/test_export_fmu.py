"""FMUs: FMPy validates them, and both kinds of simulation reproduce our trajectories."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
from c_library import compiler
from dalembert import export
from dalembert.errors import UsageError
from dalembert.export.fmu import exponents

fmpy = pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(compiler is None, reason="no compiler of C on this machine")

H, STEPS = 0.02, 50


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(system, method, the file); `python -m tests.exports --fmus` has three systems."""
    system, method = da.systems.ChaplyginSleigh(), da.DLA()
    folder = tmp_path_factory.mktemp("fmu")
    return system, method, export.fmu(system, method, folder / "sleigh.fmu", H)


def _run(file, kind, names, **options):
    from fmpy import simulate_fmu

    found = simulate_fmu(
        str(file.path), fmi_type=kind, stop_time=H * STEPS, output_interval=H, output=names,
        **options,
    )  # fmt: skip
    return np.array([[row[name] for name in names] for row in found])


def test_an_fmu_is_valid_and_reproduces_the_run(made):
    from fmpy.validation import validate_fmu

    system, method, file = made
    assert validate_fmu(str(file.path)) == [] and file.binary
    traj = da.simulate(system, method, h=H, steps=STEPS)
    mine = np.hstack([traj.q, traj.v])
    first = file.variables.index(next(x for x in file.variables if f"der({x})" in file.variables))
    names = list(file.variables[first : first + mine.shape[1]])
    assert np.max(np.abs(_run(file, "CoSimulation", names) - mine)) < 1e-12
    end = np.concatenate(system.closed_form(H * STEPS))
    found = _run(file, "ModelExchange", names, relative_tolerance=1e-11, solver="CVode")
    assert np.max(np.abs(found[-1] - end)) < 1e-9


def test_units_have_exponents():
    assert exponents("kg m^2/s") == {"kg": 1, "m": 2, "s": -1}
    assert exponents("N m/rad") == {"kg": 1, "m": 2, "s": -2, "rad": -1}
    assert exponents("1/s") == {"s": -1} and exponents("furlong") is None


def test_a_step_that_is_no_multiple_and_a_wrong_start(made):
    from fmpy import extract, read_model_description
    from fmpy.fmi3 import FMU3Slave

    system, method, file = made
    description = read_model_description(str(file.path))
    slave = FMU3Slave(
        guid=description.guid, unzipDirectory=extract(str(file.path)),
        modelIdentifier=file.prefix, instanceName="one",
    )  # fmt: skip
    slave.instantiate(logMessage=None)
    slave.enterInitializationMode(startTime=0.0)
    slave.exitInitializationMode()
    slave.doStep(currentCommunicationPoint=0.0, communicationStepSize=2.5 * H)
    at = {v.name: v.valueReference for v in description.modelVariables}
    n = len(system.velocity_labels)
    names = [x for x in file.variables if f"der({x})" in file.variables][-n:]
    v = slave.getFloat64([at[x] for x in names])
    stepper = da.Stepper(system, method, h=2.5 * H / 3)
    stepper.reset()
    stepper.step(steps=3)
    assert np.max(np.abs(np.array(v) - stepper.state.v)) < 1e-12
    # and on by steps of h, from there
    slave.doStep(currentCommunicationPoint=2.5 * H, communicationStepSize=2 * H)
    again = da.Stepper(system, method, h=H)
    again.reset(stepper.state.q, stepper.state.v, t=2.5 * H, project=True)
    again.step(steps=2)
    (t,) = slave.getFloat64([at["time"]])
    assert abs(t - 4.5 * H) < 1e-15
    v = slave.getFloat64([at[x] for x in names])
    assert np.max(np.abs(np.array(v) - again.state.v)) < 1e-12
    slave.terminate()
    slave.freeInstance()


def test_what_is_wrong_is_refused(tmp_path):
    sleigh = da.systems.ChaplyginSleigh()
    with pytest.raises(UsageError, match="no compiler 'kk'"):
        export.fmu(sleigh, da.RK4(), tmp_path / "x.fmu", compiler="kk")
    with pytest.raises(UsageError, match="unknown suffix"):
        export.fmu(sleigh, da.RK4(), tmp_path / "x.zip")
    with pytest.raises(UsageError, match="h must be"):
        export.fmu(sleigh, da.RK4(), tmp_path / "x.fmu", h=0.0)
