"""The tasks with Gymnasium's interface: one environment, or many as a vector."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ..errors import SimulationError, UsageError
from ..running import Stepper
from .drawing import Camera
from .tasks import Task

_METADATA: dict[str, Any] = {"render_modes": ["rgb_array"]}


def _spaces(task: Task) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Box]:
    count = len(task.observations)
    seen = gymnasium.spaces.Box(-np.inf, np.inf, (count,), np.float64)
    limits = np.asarray(task.limits, float)
    return seen, gymnasium.spaces.Box(-limits, limits, dtype=np.float64)


def _check_mode(mode: str | None) -> str | None:
    if mode not in (None, "rgb_array"):
        raise UsageError(f"render_mode is None or 'rgb_array', got {mode!r}")
    return mode


class Env(gymnasium.Env):
    """One environment; an action acts for one control period, `task.every` steps of `task.h`."""

    def __init__(self, task: Task, render_mode: str | None = None) -> None:
        self.task, self.render_mode = task, _check_mode(render_mode)
        self.metadata = {**_METADATA, "render_fps": round(1.0 / task.period)}
        self.observation_space, self.action_space = _spaces(task)
        self._limits = np.asarray(task.limits, float)
        self.stepper = Stepper(task.system, h=task.h)
        self.goal, self._periods, self._camera = np.zeros(0), 0, None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start an episode at random; the same seed gives the same start."""
        super().reset(seed=seed)
        q, v, self.goal = self.task.start(np, self.np_random.random(self.task.chances))
        self.stepper.reset(q, v)
        self._periods = 0
        return self._seen(), self._told()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Advance by one control period; a failed step of the integrator ends the episode."""
        task, s = self.task, self.stepper.state
        u = np.clip(np.asarray(action, float), -self._limits, self._limits)
        self._periods += 1
        late = self._periods >= task.periods
        try:
            self.stepper.step(u, steps=task.every)
        except SimulationError as error:
            return self._seen(), 0.0, True, late, {**self._told(), "failure": str(error)}
        reward = float(task.reward(np, s.q, s.v, self.goal, u))
        over = bool(task.fallen(np, s.q, s.v, self.goal))
        return self._seen(), reward, over, late, self._told()

    def _seen(self) -> np.ndarray:
        s = self.stepper.state
        return np.asarray(self.task.observe(np, s.q, s.v, self.goal), float)

    def _told(self) -> dict[str, Any]:
        s = self.stepper.state
        return {"solved": bool(self.task.solved(np, s.q, s.v, self.goal)), "t": s.t}

    def render(self) -> np.ndarray | None:
        """Return a picture of the system's scene, 640 x 480 pixels."""
        if self.render_mode is None:
            return None
        if self._camera is None:
            self._camera = Camera(self.task.system, whole=self.task.whole)
        return self._camera.picture(self.stepper.state, self.task.marks(self.goal))


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many environments in one `Stepper`; an episode that ends is reset at once (`SAME_STEP`).

    `info["_final_obs"]` marks the members whose episode has ended in this step, and
    `info["final_obs"]` has their last observations. If the episode ended because a step of the
    integrator failed, the last observation is that before the step.
    """

    def __init__(
        self,
        task: Task,
        num_envs: int = 1,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
    ) -> None:
        self.task, self.num_envs, self.render_mode = task, num_envs, _check_mode(render_mode)
        self._most = task.periods if max_episode_steps is None else max_episode_steps
        self.stepper = Stepper(task.system, h=task.h, members=num_envs)
        self.metadata = {
            **_METADATA,
            "render_fps": round(1.0 / task.period),
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        self.single_observation_space, self.single_action_space = _spaces(task)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._low, self._high = self.single_action_space.low, self.single_action_space.high
        self._periods = np.zeros(num_envs, int)
        self._camera: Camera | None = None
        self._sources: list[np.random.Generator] | None = None

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start all members at random.

        With a seed, member i starts as an `Env` with the seed `seed + i` does.
        """
        if isinstance(seed, (int, np.integer)):
            seed = [int(seed) + i for i in range(self.num_envs)]
        if seed is not None:
            self._sources = [np_random(x)[0] for x in seed]
        elif self._sources is None:
            self._sources = [np_random()[0] for _ in range(self.num_envs)]
        self._begin(np.arange(self.num_envs))
        return self._seen(), self._told()

    def _begin(self, which: np.ndarray) -> None:
        assert self._sources is not None
        chances = np.stack([self._sources[i].random(self.task.chances) for i in which])
        q, v, goal = self.task.start(np, chances)
        if len(which) == self.num_envs:
            self.goal = np.array(goal)
        else:
            self.goal[which] = goal
        self.stepper.reset(q, v, where=which)
        self._periods[which] = 0

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
        """Advance all members by one control period."""
        if self._sources is None:
            raise UsageError("reset() comes before the first step")
        task = self.task
        u = np.clip(np.asarray(actions, float), self._low, self._high)
        before, told_before = self._seen(), self._told()
        s = self.stepper.step(u, steps=task.every)
        self._periods += 1
        failed = s.failed  # q and v of these members are NaN
        reward = np.where(failed, 0.0, task.reward(np, s.q, s.v, self.goal, u))
        over = failed | task.fallen(np, s.q, s.v, self.goal)
        late = self._periods >= self._most
        seen, told = self._seen(), self._told()
        if failed.any():
            seen = np.where(failed[:, None], before, seen)
            told["solved"] = np.where(failed, told_before["solved"], told["solved"])
        ended = over | late
        if ended.any():
            which = np.flatnonzero(ended)
            final = {
                "final_obs": seen,
                "_final_obs": ended,
                "final_info": told,
                "_final_info": ended,
            }
            self._begin(which)
            seen, told = self._seen(), {**self._told(), **final}
        return seen, reward, over, late, told

    def _seen(self) -> np.ndarray:
        s = self.stepper.state
        return np.asarray(self.task.observe(np, s.q, s.v, self.goal), float)

    def _told(self) -> dict[str, Any]:
        s = self.stepper.state
        return {"solved": np.asarray(self.task.solved(np, s.q, s.v, self.goal))}

    def render(self) -> tuple[np.ndarray, ...] | None:
        """Return one picture per member."""
        if self.render_mode is None:
            return None
        if self._camera is None:
            self._camera = Camera(self.task.system, whole=self.task.whole)
        return self._camera.pictures(self.stepper.state, [self.task.marks(x) for x in self.goal])
