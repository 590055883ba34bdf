"""The shapes that the annotations of the core state are those of the arrays."""

import inspect
import typing

import jax
import jax.numpy as jnp
import pytest
from jaxtyping import jaxtyped

import dalembert as da
from dalembert import dynamics, linalg
from dalembert.compile.tracing import tracing_once
from dalembert.methods.base import Row, Splitting, exact_row, split_momentum

SYSTEMS = [
    da.systems.ChaplyginSleigh(),  # one constraint on R^3
    da.systems.BallOnTurntableGlobal(),  # two, affine, on R^2 x SO(3)
    da.systems.Benenti(),  # a nonlinear one
    da.systems.SuslovSoN(),  # on a group
]


def fits(hint: object, value: object) -> bool:
    """Whether a value is of an annotated type; its letters are bound by the context around."""
    options = typing.get_args(hint) if _is_union(hint) else (hint,)
    for option in options:
        if typing.get_origin(option) is tuple:
            parts = typing.get_args(option)
            return len(parts) == len(value) and all(map(fits, parts, value))
        if option is typing.Any or isinstance(value, option):
            return True
    return False


def _is_union(hint: object) -> bool:
    return isinstance(hint, type(int | str)) or typing.get_origin(hint) is typing.Union


def check_call(function, *args):
    """The value of a call whose arguments and result all fit, with one meaning of each letter."""
    hints = typing.get_type_hints(function)
    bound = inspect.signature(function).bind(*args).arguments
    with jaxtyped("context"):
        for name, value in bound.items():
            assert fits(hints[name], value), (function.__name__, name)
        result = function(*args)
        assert fits(hints["return"], result), function.__name__
    return result


def check_fields(record):
    with jaxtyped("context"):
        for name, hint in typing.get_type_hints(type(record)).items():
            assert fits(hint, getattr(record, name)), (type(record).__name__, name)


def named(system):
    return system.name()


@pytest.mark.parametrize("system", SYSTEMS, ids=named)
def test_dynamics(system):
    q, v = system.initial()
    t = jnp.asarray(0.1)
    with_time = {"linear_offset": (system, t, q)}
    state_and_time = (
        "constraint_residual", "constraint_matrix", "free_acceleration", "multipliers",
        "acceleration", "reaction_force", "consistent_velocity", "projectors", "parasitic_matrix",
        "constraint_sizes", "projected",
    )  # fmt: skip
    calls = dict.fromkeys(state_and_time, (system, q, v, t)) | with_time
    calls |= dict.fromkeys(("momentum", "metric", "velocity", "energy"), (system, q, v))
    calls |= dict.fromkeys(
        (
            "drift_momentum",
            "linear_constraint",
            "holonomic_rows",
            "holonomic_terms",
            "consistent_position",
        ),
        (system, q),
    )
    calls["inertial_force"] = (system, q, v, t)
    rows = len(dynamics.multipliers(system, q, v, t))
    calls["solve_reactions"] = (system, jnp.eye(rows), jnp.ones(rows))
    calls["row_shift"] = (system, jnp.eye(rows))
    calls["energy_is_conserved"] = (system,)
    calls["solved"] = (system, q, v, t)
    assert set(calls) | {"Sizes", "Solved"} == set(dynamics.__all__)

    def look():
        for name, args in calls.items():
            result = check_call(getattr(dynamics, name), *args)
            if name in ("solved", "constraint_sizes"):
                check_fields(result)

    with tracing_once():
        jax.eval_shape(look)  # shapes alone: nothing is computed


@pytest.mark.parametrize("method", [da.GNI(), da.DLA(), da.RK4()], ids=lambda m: m.name)
def test_rows(method):
    system = da.systems.ChaplyginSleigh()
    q, v = system.initial()
    t, h = jnp.zeros(()), jnp.asarray(0.1)

    def look():
        carry, row = method.start(system, t, h, q, v)
        check_fields(row)
        advance = method.step(system, t, h, carry)
        check_fields(advance.row)
        check_fields(carry)

    jax.eval_shape(look)


def test_splitting():
    system = da.systems.BallOnTurntableGlobal()
    q, v = system.initial()
    p = dynamics.momentum(system, q, v)
    split = check_call(split_momentum, system, jnp.zeros(()), q, p)
    assert isinstance(split, Splitting)
    check_fields(split)
    row = check_call(exact_row, jnp.zeros(()), q, split.v, split.p, split.defect)
    assert isinstance(row, Row)


def test_linalg():
    A = jnp.eye(3)
    for b in (jnp.ones(3), jnp.ones((3, 2))):
        check_call(linalg.solve, A, b)
        check_call(linalg.solve_spd, A, b)
    check_fields(linalg.Newton().solve(lambda x: x**2 - 2.0, jnp.ones(3)))


def test_a_wrong_shape_does_not_fit():
    system = da.systems.ChaplyginSleigh()
    q, v = system.initial()
    with pytest.raises(AssertionError):
        check_call(dynamics.velocity, system, q, v[None])
    row = da.GNI().start(system, jnp.zeros(()), jnp.asarray(0.1), q, v)[1]
    with pytest.raises(AssertionError):
        check_fields(row._replace(p=row.p[:2]))
