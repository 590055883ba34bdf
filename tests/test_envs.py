"""Environments: Gymnasium's checks, seeds, baselines, the vector and the functional form."""

import warnings

import jax
import numpy as np
import pytest

import dalembert as da

gymnasium = pytest.importorskip("gymnasium")
from dalembert import envs  # noqa: E402


@pytest.fixture(scope="module")
def balance():
    return envs.make("Balance", render_mode="rgb_array")


@pytest.mark.parametrize("name", list(envs.tasks))
def test_gymnasium_accepts_it(name):
    from gymnasium.utils.env_checker import check_env

    env = envs.make(name, render_mode="rgb_array")
    with warnings.catch_warnings():
        # bounds of what is seen are infinite, which the checker remarks on
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)
    env.reset(seed=3)
    picture = env.render()
    assert picture.shape == (480, 640, 3) and picture.dtype == np.uint8
    assert len(np.unique(picture.astype(int) @ [1, 256, 65536])) > 20  # colors
    if env.task.whole:  # the lines of the goal are all in the picture, and away from its edge
        line = np.abs(picture.astype(int) - [217, 130, 43]).sum(axis=-1) < 12
        edge = np.ones_like(line)
        edge[5:-5, 5:-5] = False
        assert line.sum() > 60 and not (line & edge).any()
    made = gymnasium.make(f"dalembert/{name}-v0")
    assert made.spec.max_episode_steps == envs.tasks[name].periods
    made.reset(seed=1)
    made.action_space.seed(1)
    assert np.all(np.isfinite(made.step(made.action_space.sample())[0]))


@pytest.mark.parametrize("name", list(envs.tasks))
def test_a_vector_is_gymnasiums_vector_of_single_environments(name):
    """Gymnasium has no checker for vectors: its own vector of single environments is the rule."""
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    n = 3
    many = gymnasium.make_vec(f"dalembert/{name}-v0", num_envs=n)
    assert isinstance(many, envs.gym.VectorEnv)
    plain = SyncVectorEnv([lambda: envs.make(name)] * n, autoreset_mode=AutoresetMode.SAME_STEP)
    assert many.metadata["autoreset_mode"] == plain.metadata["autoreset_mode"]
    for space in ("observation_space", "action_space"):
        assert getattr(many, space) == getattr(plain, space)
        single = f"single_{space}"
        assert getattr(many, single) == getattr(plain, single)
    # these actions make a step of the bicycle's third member fail in period 69
    many.action_space.seed(13)
    actions = [many.action_space.sample() for _ in range(120)]
    actions[60:] = [many.action_space.high] * 60  # until some of them fall
    found = many.reset(seed=9), plain.reset(seed=9)
    np.testing.assert_array_equal(found[0][0], found[1][0])
    ends, failures = 0, 0
    for k, u in enumerate(actions):
        a, b = many.step(u), plain.step(u)
        for x, y in zip(a[:4], b[:4], strict=True):
            assert x.shape == y.shape and x.dtype == y.dtype
            np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-9, err_msg=str(k))
        assert a[0] in many.observation_space
        over = a[2] | a[3]
        assert ("final_obs" in a[4]) == over.any() == ("final_obs" in b[4])
        for i in np.flatnonzero(over):
            np.testing.assert_allclose(a[4]["final_obs"][i], b[4]["final_obs"][i], atol=1e-9)
            assert a[4]["final_info"]["solved"][i] == b[4]["final_info"]["solved"][i]
        ends += over.sum()
        failures += "failure" in b[4].get("final_info", {})
    assert failures == (name == "Bicycle")
    again, _ = many.reset(seed=9)
    np.testing.assert_array_equal(again, found[0][0])
    assert ends or name in ("Parking", "Snakeboard")  # whose episodes do not end so soon
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(many)
    counted.reset(seed=1)
    assert np.all(np.isfinite(counted.step(actions[0])[0]))


def test_a_seed_is_an_episode_alone_and_among_others(balance):
    many = envs.make_vec("Balance", 8)
    seen, _ = many.reset(seed=40)
    alone, _ = balance.reset(seed=43)
    np.testing.assert_array_equal(seen[3], alone)
    for _ in range(20):
        action = many.task.baseline(np, seen)
        seen, reward, *_ = many.step(action)
        one = balance.step(action[3])
        np.testing.assert_allclose(seen[3], one[0], rtol=0, atol=1e-12)
        assert reward[3] == pytest.approx(one[1], abs=1e-12)


@pytest.mark.parametrize("name", list(envs.tasks))
def test_the_baseline_solves_unseen_seeds(name):
    n = 100
    env = envs.make_vec(name, n)
    seen, _ = env.reset(seed=7000)
    ended = np.zeros(n, bool)
    for _ in range(env.task.periods):
        seen, _, over, late, info = env.step(env.task.baseline(np, seen))
        ended |= over
    assert late.all() and not ended.any()
    assert info["final_info"]["solved"].all()
    assert np.all(env._periods == 0)  # they have started again


def test_without_control_it_falls_and_starts_again():
    env = envs.make_vec("Balance", 4)
    env.reset(seed=5)
    fallen = np.zeros(4, int)
    for _ in range(200):
        _, reward, over, _, info = env.step(np.zeros((4, 2)))
        fallen += over
        if over.any():
            assert np.all(np.abs(info["final_obs"][over, 2]) > 0.8)
            assert not env.stepper.state.failed.any() and (reward[over] == 0.0).all()
    assert (fallen >= 1).all()


def test_a_failed_step_of_the_functional_form_keeps_the_state_before_it():
    task = envs.functional("Bicycle")
    state, _ = task.reset(jax.random.key(0))
    at = state.at
    rates = np.zeros(8)
    rates[5] = 400.0  # the handlebar turns so fast that Newton's iteration fails
    state = state._replace(at=task.stepper.pure_reset(at.q, np.asarray(at.v) + rates))
    before = task.observe(state)
    step = jax.jit(task.step)
    for _ in range(2):
        out = step(state, np.zeros(2))
        state = out.state
        assert out.terminated and state.at.failed and out.reward == 0.0
        np.testing.assert_array_equal(out.observation, before)


def test_functional_form_is_the_same_motion():
    task = envs.functional("Balance")
    state, seen = jax.jit(task.reset)(jax.random.key(1))
    step = jax.jit(task.step)
    stepper = da.Stepper(task.task.system, h=task.task.h)
    stepper.reset(state.at.q, state.at.v)
    for _ in range(5):
        u = task.task.baseline(np, np.asarray(seen))
        stepper.step(u, steps=task.task.every)
        out = step(state, u)
        state, seen = out.state, out.observation
        assert not out.terminated and not out.truncated
    np.testing.assert_allclose(state.at.q, stepper.state.q, rtol=0, atol=1e-11)
    both = jax.jit(jax.vmap(task.step))(
        jax.tree.map(lambda x: np.stack([x, x]), state), np.stack([u, -u])
    )
    assert both.observation.shape == (2, 6) and both.observation[0, 2] != both.observation[1, 2]


def test_refusals():
    with pytest.raises(da.UsageError, match="did you mean Balance"):
        envs.make("Balanse")
    with pytest.raises(da.UsageError, match="rgb_array"):
        envs.make("Balance", render_mode="human")
    with pytest.raises(da.UsageError, match="Balance"):
        envs.make("Balance", speed=3.0)
    with pytest.raises(da.UsageError, match="before the first step"):
        envs.make_vec("Balance", 2).step(np.zeros((2, 2)))
