"""Logs of runs: MCAP with every row and transforms that are the poses; CSV with units."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import control, export, scene
from dalembert.errors import UsageError
from dalembert.export.logs import quaternion


@pytest.fixture(scope="module")
def run():
    """A driven system of the zoo with a scene, and its run."""
    system = control.driven(da.systems.BalancingRobot(), lambda t: jnp.stack([jnp.sin(t)] * 2))
    return system, da.simulate(system, da.RK4(), h=0.01, steps=30)


def test_mcap_has_every_row_of_every_topic(run, tmp_path):
    reader = pytest.importorskip("mcap.reader")
    system, traj = run
    place = tmp_path / "run.mcap"
    count = export.mcap(traj, place, system, epoch=100.0)
    found = {}
    with place.open("rb") as file:
        made = reader.make_reader(file)
        for schema, channel, message in made.iter_messages():
            found.setdefault((channel.topic, schema.name), []).append((message.log_time, message))
        about = next(iter(made.iter_metadata())).metadata
    assert set(found) == {
        ("/tf", "foxglove.FrameTransforms"),
        ("/joint_states", "dalembert.JointStates"),
        ("/reactions", "dalembert.Reactions"),
        ("/inputs", "dalembert.Inputs"),
        ("/energy", "dalembert.Energy"),
    }
    assert all(len(rows) == len(traj) for rows in found.values()) and count == 5 * len(traj)
    assert about["system"] == system.name()
    rows = {topic: [json.loads(m.data) for _, m in rows] for (topic, _), rows in found.items()}
    stamps = [time for time, _ in found["/tf", "foxglove.FrameTransforms"]]
    assert np.allclose(np.array(stamps) / 1e9 - 100.0, traj.t, atol=2e-9)
    joints = rows["/joint_states"]
    assert joints[7]["name"] == list(system.coordinate_labels)
    assert np.array_equal([x["position"] for x in joints], np.asarray(traj.q))
    assert np.array_equal([x["velocity"] for x in joints], np.asarray(traj.v))
    assert np.allclose([x["value"][0] for x in rows["/inputs"]], np.sin(traj.t), atol=1e-15)
    multipliers = np.array([x["value"] for x in rows["/reactions"]])
    assert np.array_equal(multipliers, np.asarray(traj.multiplier))
    poses = scene.poses(system, traj.t, traj.q, traj.v, traj.multiplier, traj.frame)
    for k in (0, 30):
        for x in rows["/tf"][k]["transforms"]:
            name, turn = x["child_frame_id"], x["rotation"]
            assert np.allclose([*x["translation"].values()], poses.position[name][k], atol=1e-15)
            R = poses.attitude.get(name)
            R = np.eye(3) if R is None else R[k]
            assert np.allclose(_matrix(*(turn[c] for c in "xyzw")), R, atol=1e-12)


def _matrix(x, y, z, w):
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_quaternions_of_all_quarters():
    from dalembert.groups import SO

    for w in ([0, 0, 0.3], [3.1, 0, 0.1], [0.1, 3.1, 0], [0, 0.2, 3.1], [1.0, -2.0, 0.5]):
        R = np.asarray(SO(3).exp(jnp.array(w, dtype=float)))
        assert np.allclose(_matrix(*quaternion(R)), R, atol=1e-12)


def test_csv_has_units_in_its_heads(run, tmp_path):
    system, traj = run
    place = tmp_path / "run.csv"
    export.csv(traj, place, system)
    head, *rows = csv.reader(place.read_text().splitlines())
    assert head[0] == "t [s]" and head[1] == "x [m]" and "x_dot [m/s]" in head
    assert np.array_equal(np.array(rows, float)[:, 1 : 1 + traj.q.shape[1]], np.asarray(traj.q))
    assert len(rows) == len(traj)


class Puck(da.System):
    """A puck of one's own."""

    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v


@pytest.mark.filterwarnings("error")
def test_what_a_log_lacks_is_told(run, tmp_path):
    pytest.importorskip("mcap")
    system, traj = run
    with pytest.warns(UserWarning, match=r"run\.mcap has no inputs: a control acted on balancing"):
        export.mcap(traj, tmp_path / "run.mcap")
    with pytest.warns(UserWarning, match="has no inputs"):
        export.csv(traj, tmp_path / "run.csv")
    export.csv(traj, tmp_path / "run.csv", system)
    head, *_, last = csv.reader((tmp_path / "run.csv").read_text().splitlines())
    assert head[-1].startswith(f"input {system.input_labels[-1]}")
    assert abs(float(last[-1]) - np.sin(traj.t[-1])) < 1e-15
    name = next(iter(system.parameters()))
    other = da.systems.BalancingRobot().with_parameters(**{name: 9.75})
    with pytest.raises(UsageError, match=rf"other parameters than the run: {name} = 9.75"):
        export.csv(traj, tmp_path / "x.csv", other)
    own = da.simulate(Puck(), da.RK4(), h=0.1, steps=2, q0=[0.0], v0=[1.0])
    with pytest.warns(UserWarning, match="velocities and multipliers are written without units"):
        export.csv(own, tmp_path / "own.csv")
    with pytest.raises(UsageError, match="--system FILE:CLASS"):
        export.mcap(own, tmp_path / "own.mcap")


def test_what_cannot_be_logged_is_told(run, tmp_path):
    pytest.importorskip("mcap")
    system, traj = run
    with pytest.raises(UsageError, match="log times must not be negative"):
        export.mcap(traj, tmp_path / "x.mcap", system, epoch=-1.0)
    with pytest.raises(UsageError, match="velocities, the run has"):
        export.mcap(traj, tmp_path / "x.mcap", da.systems.ChaplyginSleigh())
    with pytest.raises(UsageError, match="only trajectories can be exported"):
        export.mcap(system, tmp_path / "x.mcap")  # pyright: ignore
    with pytest.raises(UsageError, match="unknown suffix"):
        export.mcap(traj, tmp_path / "x.bag", system)
    assert not list(tmp_path.iterdir())


def test_a_film_without_a_browser(run, tmp_path):
    from PIL import Image

    system, traj = run
    count = export.film(traj, tmp_path / "run.gif", system, fps=10, size=(64, 48))
    with Image.open(tmp_path / "run.gif") as film:
        assert film.size == (64, 48) and count == 4
        frames = []
        for k in range(film.n_frames):
            film.seek(k)
            frames.append(np.asarray(film.convert("RGB"), int))
    # frames that are equal are joined by the format
    assert 2 <= len(frames) <= 4 and np.ptp(frames[0]) > 50
    with pytest.raises(UsageError, match="frames are too many"):
        export.film(traj, tmp_path / "x.gif", system, speed=1e-6)


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg on this machine")
def test_an_mp4_by_ffmpeg(run, tmp_path):
    system, traj = run
    assert export.film(traj, tmp_path / "run.mp4", system, fps=10, size=(64, 48)) == 4
    data = (tmp_path / "run.mp4").read_bytes()
    assert data[4:8] == b"ftyp" and b"moov" in data  # the boxes of an MP4
    shown = ["ffmpeg", "-v", "error", "-i", str(tmp_path / "run.mp4"), "-f", "rawvideo",
             "-pix_fmt", "rgb24", "-"]  # fmt: skip
    pixels = subprocess.run(shown, capture_output=True, check=True).stdout
    assert len(pixels) == 4 * 64 * 48 * 3
