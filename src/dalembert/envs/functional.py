"""A task as pure functions of JAX: reset and step, for `jit`, `vmap` and `scan`."""

from __future__ import annotations

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp

from ..running import Stepper, StepperState
from .tasks import Task


class Timed(NamedTuple):
    """The state of an episode."""

    at: StepperState
    goal: jax.Array
    periods: jax.Array  # number of control periods so far


class Stepped(NamedTuple):
    """What `step` returns."""

    state: Timed
    observation: jax.Array
    reward: jax.Array
    terminated: jax.Array
    truncated: jax.Array


class Functional:
    """A task for one member: `reset(key) -> state, observation`, `step(state, action) -> Stepped`.

    Both functions are pure: use `jax.vmap` for many members and `jax.lax.scan` for an episode.
    There is no automatic reset: an episode that has ended continues, and its later rewards must be
    ignored. If a step of the integrator fails, the episode ends, with the state and the observation
    before that step.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.stepper = Stepper(task.system, h=task.h)

    def reset(self, key: jax.Array) -> tuple[Timed, jax.Array]:
        """Return a random start and its observation."""
        q, v, goal = self.task.start(jnp, jax.random.uniform(key, (self.task.chances,)))
        state = Timed(self.stepper.pure_reset(q, v), goal, jnp.zeros((), int))
        return state, self.observe(state)

    def observe(self, state: Timed) -> jax.Array:
        """Return the observation of a state."""
        return self.task.observe(jnp, state.at.q, state.at.v, state.goal)

    def step(self, state: Timed, action: Any) -> Stepped:
        """Advance by one control period."""
        task = self.task
        u = jnp.clip(
            jnp.asarray(action, float), -jnp.asarray(task.limits), jnp.asarray(task.limits)
        )
        at = state.at
        for _ in range(task.every):
            at = self.stepper.pure(at, u)
        failed = at.result != 0  # q and v of `at` are NaN then: return the state before the step
        result = at.result
        at = jax.tree.map(lambda old, new: jnp.where(failed, old, new), state.at, at)
        at = eqx.tree_at(lambda s: s.held.state.row.result, at, result)
        periods = state.periods + 1
        new = Timed(at, state.goal, periods)
        over = failed | task.fallen(jnp, at.q, at.v, state.goal)
        reward = jnp.where(failed, 0.0, task.reward(jnp, at.q, at.v, state.goal, u))
        return Stepped(new, self.observe(new), reward, over, periods >= task.periods)
