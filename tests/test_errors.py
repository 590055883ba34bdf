"""What errors carry: a message for people, and its parts for those who give other advice."""

import pickle

import numpy as np
import pytest

import dalembert as da
from dalembert.cli import application as base
from dalembert.compile.engine import Engine, chosen_engine
from dalembert.errors import (
    ROWS_ATTACHED,
    DalembertError,
    DamagedError,
    Reason,
    SimulationError,
    StoreError,
    UsageError,
)

SLEIGH, PARTICLE = da.systems.ChaplyginSleigh(), da.systems.NonholonomicParticle()


@pytest.mark.parametrize(
    "kind", [DalembertError, UsageError, DamagedError, SimulationError, StoreError]
)
def test_a_message_has_parts(kind):
    error = kind("it is wrong", about="sleigh", advice="mend it")
    assert str(error) == "sleigh: it is wrong; mend it" and error.problem == "sleigh: it is wrong"
    assert str(kind("It is wrong", advice="Mend it")) == "It is wrong. Mend it"
    assert (str(kind("plain")), kind("plain").problem, kind("plain").advice) == ("plain",) * 2 + (
        "",
    )
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.advice == "mend it" and again.reason == "it is wrong"


def test_an_error_is_located_with_all_its_parts():
    error = UsageError("v0 is off", about="sleigh", advice="project it", remedy="project")
    found = error.located("slice 0", "(member 2 of 3)")
    assert str(found) == "slice 0: sleigh: v0 is off (member 2 of 3); project it"
    assert found.remedy == "project" and error.located().args == error.args


def test_a_start_off_the_constraint_names_the_argument_that_mends_it():
    v0 = np.array([0.0, 1.0, 0.0])
    with pytest.raises(UsageError) as caught:
        da.simulate(SLEIGH, None, np.zeros(3), v0, h=0.1, steps=2)
    error = caught.value
    assert error.remedy == "project" and "project=True" in error.advice
    assert error.about == "chaplygin-sleigh" and "project" not in error.problem
    many = np.stack([0 * v0, v0])
    with pytest.raises(UsageError, match=r"\(member 1 of 2\)") as caught:
        da.simulate_ensemble(SLEIGH, None, np.zeros((2, 3)), many, h=0.1, steps=2)
    assert caught.value.remedy == "project"
    assert base._for_the_shell(caught.value).endswith(
        "(member 1 of 2); --project takes the nearest one that is"
    )


def test_a_failed_run_gives_its_reason_without_the_rows():
    with pytest.raises(SimulationError) as caught:
        da.simulate(PARTICLE, da.DLA(), [0.0, 1.0, 0.0], [1.0, 1e100, 1.0], h=0.01, steps=5)
    error = caught.value
    assert error.about == "dla-midpoint on nonholonomic-particle"
    assert error.advice == ROWS_ATTACHED.format(len(error.trajectory))
    assert error.reason.endswith(f"at step {error.step}, t = {error.time:g}")
    assert base._for_the_shell(error) == f"{error.about}: {error.reason}"


def test_words_of_a_message_decide_nothing():
    """What a user writes into a name may look like any of our sentences."""
    error = UsageError(
        "the rows of 'a; the 3 rows until then are attached to this error' project=True"
    )
    assert base._for_the_shell(error) == str(error)


def test_what_is_missing_has_a_type_of_its_own():
    """A text is as good a result as any other; only a `Reason` says that there is none."""
    assert chosen_engine(None, lambda: "code") == (Engine("native"), "code")
    none = Reason("no rule for erf")
    assert chosen_engine(None, lambda: none) == (Engine("arrays", "no rule for erf"), None)
    with pytest.raises(UsageError, match="cannot run this: no rule for erf; leave"):
        chosen_engine("native", lambda: none)
    assert f"{none}" == none.text and none == Reason("no rule for erf")
