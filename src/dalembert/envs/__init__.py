"""Reinforcement-learning environments of wheeled systems, for Gymnasium and as JAX functions.

    env = da.envs.make("Bicycle")               # gymnasium.Env
    many = da.envs.make_vec("Bicycle", 4096)    # gymnasium.vector.VectorEnv, members in vectors
    ride = da.envs.functional("Bicycle")        # reset(key), step(state, action) of JAX

After `import dalembert.envs` Gymnasium knows them as `dalembert/Bicycle-v0` and so on:
`gymnasium.make("dalembert/Bicycle-v0")`. An observation is a vector of doubles in SI units, an
action a vector of forces and torques within limits. `env.unwrapped.task` has their names and
units, and a controller `baseline(observation)` that solves the task.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import UsageError, unknown_name
from .functional import Functional
from .tasks import Task, tasks

if TYPE_CHECKING:
    from .gym import Env, VectorEnv

VERSION = "v0"


def task(name: str, **options: Any) -> Task:
    """Return a task by its name, one of `tasks`; options are its fields."""
    short = name.removeprefix("dalembert/").removesuffix(f"-{VERSION}")
    if short not in tasks:
        raise unknown_name("environment", name, tasks)
    try:
        return tasks[short](**options)
    except TypeError as error:
        raise UsageError(f"{short}: {error}") from None


def make(name: str, render_mode: str | None = None, **options: Any) -> Env:
    """Return one environment with Gymnasium's interface."""
    return _gym().Env(task(name, **options), render_mode)


def make_vec(
    name: str,
    num_envs: int = 1,
    render_mode: str | None = None,
    max_episode_steps: int | None = None,
    **options: Any,
) -> VectorEnv:
    """Return many environments as one: members of one `Stepper`, vectorized, on all cores.

    `max_episode_steps` is the number of control periods of an episode, by default that of the task.
    """
    return _gym().VectorEnv(task(name, **options), num_envs, render_mode, max_episode_steps)


def functional(name: str, **options: Any) -> Functional:
    """Return a task as pure functions of JAX."""
    return Functional(task(name, **options))


def _gym() -> Any:
    try:
        from . import gym
    except ImportError as error:
        raise UsageError(
            "environments need Gymnasium: pip install 'dalembert[envs]'; da.envs.functional "
            "works without it"
        ) from error
    return gym


def _register() -> None:
    """Register the tasks with Gymnasium, if it is installed."""
    try:
        import gymnasium
    except ImportError:
        return
    for name, cls in tasks.items():
        gymnasium.register(
            f"dalembert/{name}-{VERSION}",
            entry_point=lambda name=name, **options: make(name, **options),
            vector_entry_point=lambda name=name, **options: make_vec(name, **options),
            max_episode_steps=cls.periods,
        )


_register()

__all__ = ["Functional", "Task", "functional", "make", "make_vec", "task", "tasks"]
