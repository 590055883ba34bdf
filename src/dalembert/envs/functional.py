"""A task as functions of JAX: reset and step, for `jit`, `vmap` and `scan`."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from ..running import Stepper, StepperState
from .tasks import Task


class Timed(NamedTuple):
    """The state of an episode."""

    at: StepperState
    goal: jax.Array
    periods: jax.Array  # control periods so far


class Stepped(NamedTuple):
    """What a step gives."""

    state: Timed
    observation: jax.Array
    reward: jax.Array
    terminated: jax.Array
    truncated: jax.Array


class Functional:
    """`reset(key) -> state, observation` and `step(state, action) -> Stepped`, of one member.

    Both are pure: `jax.vmap` has many, `jax.lax.scan` an episode. There is no reset on the way: an
    episode that has ended goes on, and who trains takes its rewards until then.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.stepper = Stepper(task.system, h=task.h)

    def reset(self, key: jax.Array) -> tuple[Timed, jax.Array]:
        """A start by chance."""
        q, v, goal = self.task.start(jnp, jax.random.uniform(key, (self.task.chances,)))
        state = Timed(self.stepper.pure_reset(q, v), goal, jnp.zeros((), int))
        return state, self.observe(state)

    def observe(self, state: Timed) -> jax.Array:
        """The observation of a state."""
        return self.task.observe(jnp, state.at.q, state.at.v, state.goal)

    def step(self, state: Timed, action: Any) -> Stepped:
        """One control period."""
        task = self.task
        u = jnp.clip(
            jnp.asarray(action, float), -jnp.asarray(task.limits), jnp.asarray(task.limits)
        )
        at = state.at
        for _ in range(task.every):
            at = self.stepper.pure(at, u)
        periods = state.periods + 1
        new = Timed(at, state.goal, periods)
        failed = at.result != 0
        over = failed | task.fallen(jnp, at.q, at.v, state.goal)
        reward = jnp.where(failed, 0.0, task.reward(jnp, at.q, at.v, state.goal, u))
        return Stepped(new, self.observe(new), reward, over, periods >= task.periods)
