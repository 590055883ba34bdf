"""Findings of the third review about wrong kinds of arguments (B8, C5)."""

import copy

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.fuzz import calls

import dalembert as da
from dalembert import doors, parts

UsageError = da.errors.UsageError


class Spring(da.MechanicalSystem):
    k: float = 1.0
    space = da.Euclidean(2)
    mass = np.eye(2)

    def potential(self, q):
        return 0.5 * self.k * q @ q

    def initial(self):
        return np.ones(2), np.zeros(2)


SPRING = Spring()


@pytest.mark.parametrize(
    "call, told",
    [
        (lambda: da.simulate(SPRING, dt=0.1, steps=3), "no argument 'dt'; did you mean 'h'"),
        (lambda: da.simulate(SPRING, h=0.1, n_steps=3), "did you mean 'steps'"),
        (lambda: da.systems.ChaplyginSleigh(mass=2.0), r"no argument 'mass'; it takes \(m, J, a\)"),
        (lambda: parts.Body("a"), "missing a required argument: 'mass'"),
        (lambda: Spring(k="text"), "'k' must be a real number, got 'text'"),
        (lambda: Spring(k=1j), "'k' must be a real number"),
        (lambda: Spring(k=None), "'k' must be a real number, got None"),
        (lambda: Spring(k=10**400), "'k' must be a number that a double can hold"),
        (lambda: Spring(stiffness=1.0), "Spring: has no argument 'stiffness'"),
        (lambda: da.systems.ChaplyginSleigh(a=10**400), "'a' must be a real number"),
        (lambda: da.systems.ChaplyginSleigh(a=1j), "'a' must be a real number"),
        (lambda: parts.Body("a", 10**400), "Body: "),
        (lambda: da.simulate(SPRING, h=True, steps=3), "h must be a number, got True"),
        (lambda: da.simulate(SPRING, h=10**400, steps=3), "h must be a number"),
        (lambda: da.simulate(SPRING, h=0.1, steps=True), "steps must be an integer, got True"),
        (lambda: da.simulate(SPRING, h=0.1, steps=3, project="x"), "project must be True or False"),
        (lambda: da.simulate(SPRING, h=0.1, steps=10**15), "memory|save_every"),
        (lambda: da.load(None), "path must be a text or a PathLike, got None"),
        (lambda: da.dynamics.energy(3, 4.0, [5.0]), "system must be a System, got 3"),
        (lambda: da.diagnostics.report(SPRING, 3), "traj must be a Trajectory, got 3"),
        (lambda: da.geometry.growth("x"), "system must be a System"),
        (lambda: da.inputs.Table("a", "b"), "Table: "),
    ],
)
def test_finding3_c5_wrong_kinds_are_named(call, told):
    with pytest.raises(UsageError, match=told):
        call()


def test_finding3_b8_numpy_in_a_prescribed_motion_is_told_with_its_line():
    turning = parts.build(
        parts.Body("a", 1.0, 0.1),
        parts.Revolute("a"),
        parts.Prescribed("a", lambda t: np.sin(t)),
    )
    with pytest.raises(UsageError, match=r"test_findings3_doors.py:\d+: .*write jax.numpy"):
        da.simulate(turning, h=0.1, steps=2)


def test_finding3_c5_the_caller_s_own_errors_pass():
    class Mine(Spring):
        def potential(self, q):
            return {}["k"] * q @ q

    with pytest.raises(KeyError) as raised:
        da.simulate(Mine(), h=0.1, steps=1)
    assert not isinstance(raised.value, UsageError)

    def broken(t, q, v):
        raise AttributeError("mine")

    with pytest.raises(AttributeError, match="mine"):
        da.simulate(SPRING, h=0.1, steps=1, events={"a": broken})


def test_finding3_c5_packages_in_a_folder_of_any_name_are_not_the_caller_s(tmp_path, monkeypatch):
    """`pip install --target`, layers of cloud functions: no folder is called site-packages."""
    (tmp_path / "algebra").mkdir()
    (tmp_path / "algebra" / "__init__.py").write_text("def product(a):\n    return a.none\n")
    (tmp_path / "algebra-1.0.dist-info").mkdir()
    (tmp_path / "algebra-1.0.dist-info" / "RECORD").write_text("algebra/__init__.py,,\n")
    (tmp_path / "mine.py").write_text("def product(a):\n    return a.none\n")
    monkeypatch.syspath_prepend(tmp_path)
    import algebra
    import mine

    assert doors.is_installed(algebra.__file__) and not doors.is_installed(mine.__file__)
    assert doors.is_installed(np.__file__) and not doors.is_installed(__file__)
    with pytest.raises(UsageError, match="cannot work with what it was given"):
        doors.door(algebra.product)(np.ones(2))
    with pytest.raises(AttributeError) as raised:
        doors.door(mine.product)(np.ones(2))
    assert not isinstance(raised.value, UsageError)


def test_finding3_c5_what_memory_cannot_hold_is_said_of_xla_too():
    """XLA's own error of a lack of memory is a bare RuntimeError; those of a device stay."""
    with pytest.raises(UsageError, match="not enough memory"):
        doors.door(jnp.zeros)(10**13)
    nested: list = []
    for _ in range(10**5):
        nested = [nested]
    with pytest.raises(UsageError, match=r"cannot work with .* RecursionError"):
        doors.door(copy.deepcopy)(nested)

    def device(x):
        raise jax.errors.JaxRuntimeError("INTERNAL: a kernel failed")

    with pytest.raises(jax.errors.JaxRuntimeError, match="a kernel failed"):
        doors.door(device)(3)


def test_finding3_c5_show_says_what_it_takes():
    with pytest.raises(UsageError, match="missing a required argument: 'traj'"):
        da.show(SPRING)
    with pytest.raises(UsageError, match="traj"):
        da.show(SPRING, 3)


def test_finding3_c5_doors_are_plain_functions():
    assert da.simulate.__wrapped__.__name__ == "simulate" and doors.door(da.simulate) is da.simulate
    assert da.simulate is da.running.simulate and "h" in da.simulate.__doc__
    assert issubclass(da.errors.ArgumentError, TypeError)  # as Python's own of such calls
    energy = jax.jit(da.dynamics.energy)(SPRING, jnp.ones(2), jnp.zeros(2))
    assert np.isclose(energy, 1.0)
    with pytest.raises(TypeError):
        da.dynamics.energy(SPRING)


def test_finding3_c5_urdf(tmp_path):
    file = tmp_path / "a.urdf"
    file.write_bytes(b'<robot name="caf\xe9"/>')
    with pytest.raises(UsageError, match="is not in UTF-8: byte 16 is 0xe9"):
        parts.from_urdf(file)
    named = parts.build(
        parts.Body('a<"b', 1.0, 0.1), parts.Free('a<"b'),
        parts.Body("c&d", 1.0, 0.1), parts.Revolute("c&d", 'a<"b'), name="<&>",
    )  # fmt: skip
    again = parts.from_urdf(parts.to_urdf(named)).build()
    assert set(again._machine().bodies) == {'a<"b', "c&d"} and again.title == "<&>"


# a call that is given up may be in a callback of the garbage collector just then
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_finding3_c5_random_calls():
    found, figures = calls.wrong(200, 7)
    assert not found
    assert figures["ends"]["refused"] > 50 and figures["ends"]["returned"] > 20
