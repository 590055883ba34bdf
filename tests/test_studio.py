"""The studio: settings from the browser, answers, what is refused, cancelled and exported."""

import http.client
import io
import json
import socket
import zipfile

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.hybrid.zoo import registry as hybrid_registry
from dalembert.results import HybridTrajectory
from dalembert.studio import serve, work
from dalembert.studio import setting as setting_module
from dalembert.studio.presets import presets
from dalembert.studio.setting import Speeds, described, setting
from dalembert.studio.work import Stopped, Studio, Watch, _Watched
from dalembert.systems import registry

DROPPED = "(left out)"  # a text: the names of tests must be the same in every worker
DISK = {"system": "vertical-rolling-disk", "methods": ["rk4"], "h": 0.02, "t": 1.0}


@pytest.fixture(scope="module")
def server():
    made = serve(registry)
    yield made
    made.close()


def post(server, action, body, **headers):
    """(status, answer) of one request; a header of None is left out."""
    sent = {"X-Dalembert-Token": server.token, "Origin": f"http://127.0.0.1:{server.port}"}
    sent = {k: v for k, v in {**sent, **headers}.items() if v is not None}
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    text = body if isinstance(body, (bytes, str)) else json.dumps(body)
    link.request("POST", f"/api/{action}", text, sent)
    answer = link.getresponse()
    data = answer.read()
    link.close()
    kind = answer.headers["Content-Type"]
    return answer.status, json.loads(data) if kind.startswith("application/json") else data


def get(server, path, host=None):
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    link.request("GET", path, headers={"Host": host} if host else {})
    answer = link.getresponse()
    data = answer.read().decode()
    link.close()
    return answer.status, data, answer.headers


# -- speeds --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, free",
    [
        ("chaplygin-sleigh", ["x_dot", "theta_dot"]),  # at theta = 0 the blade gives y'
        ("rolling-disk", ["psi_dot", "phi_dot", "theta_dot"]),
        ("ball-on-turntable", ["omega1", "omega2", "omega3"]),
        ("two-wheeled-robot", ["psi1_dot", "psi2_dot"]),
        ("suslov", ["Omega2", "Omega3"]),
    ],
)
def test_free_speeds(name, free):
    system = registry[name]()
    q0, v0 = system.initial()
    speeds = Speeds.of(system, q0)
    assert [speeds.names[i] for i in speeds.free] == free
    rng = np.random.default_rng(1)
    given = dict(zip(free, rng.normal(size=len(free))))
    v = speeds.velocity(system, q0, np.asarray(v0), given)
    residual = da.dynamics.constraint_residual(system, q0, v)
    assert np.max(np.abs(residual)) < 1e-12
    assert all(v[speeds.names.index(k)] == x for k, x in given.items())


def test_speeds_of_a_nonlinear_constraint_are_projected():
    system = registry["benenti"]()
    q0, v0 = system.initial()
    speeds = Speeds.of(system, q0)
    v = speeds.velocity(system, q0, np.asarray(v0), {"x1_dot": 1.3})
    assert np.max(np.abs(da.dynamics.constraint_residual(system, q0, v))) < 1e-9


def test_description_has_units_and_arrays():
    told = described(registry, {"system": "chaplygin-ball"})
    named = {p["name"]: p for p in told["parameters"]}
    assert named["m"]["unit"] == "kg" and named["m"]["sign"] == "positive"
    assert named["inertia"]["value"] == [1.0, 0.5, 0.7]
    assert [s["unit"] for s in told["speeds"]] == ["rad/s"] * 3
    whole = {
        p["name"]: p for p in described(registry, {"system": "chaotic-quartic"})["parameters"]
    }["n"]
    assert whole["whole"] and whole["value"] == 3


# -- what is refused -----------------------------------------------------------------------------


def test_the_ten_refusals(server):
    host = f"127.0.0.1:{server.port}"
    assert get(server, "/")[0] == 403  # no token
    assert get(server, "/?token=wrong")[0] == 403
    assert get(server, f"/?token={server.token}", host="evil.example")[0] == 403  # rebinding
    assert get(server, "/../../etc/passwd")[0] == 404
    assert post(server, "systems", {}, **{"X-Dalembert-Token": None})[0] == 403
    assert post(server, "systems", {}, **{"X-Dalembert-Token": "x"})[0] == 403
    assert post(server, "systems", {}, Origin="http://evil.example")[0] == 403
    assert post(server, "systems", {}, Host=f"localhost:{server.port}")[0] == 403
    assert post(server, "run", b"x" * 70_000)[0] == 413
    status, answer = post(server, "nothing", {})
    assert status == 404 and "no such action" in answer["error"]
    assert get(server, f"/?token={server.token}", host=host)[0] == 200


@pytest.mark.parametrize(
    "change, words",
    [
        ({"system": "__import__('os')"}, "unknown system"),
        ({"system": "rolling-disc"}, "did you mean rolling-disk"),
        ({"parameters": {"R": "1"}}, "R must be a finite number"),
        ({"parameters": {"R": -1.0}}, "'R' must be positive"),
        ({"parameters": {"radius": 1.0}}, "unknown parameter"),
        ({"parameters": [1]}, "parameters must be a table"),
        ({"speeds": {"z_dot": 1.0}}, "speeds must be among"),
        ({"methods": []}, "one to 4 methods"),
        ({"methods": ["rk4"] * 5}, "one to 4 methods"),
        ({"methods": ["rk5"]}, "unknown method"),
        ({"h": 0.0}, "h must be larger than 0"),
        ({"h": True}, "h must be a finite number"),
        ({"t": None}, "t must be a finite number"),
        ({"h": 1e-9}, "too many"),
        ({"tol": 1e-6}, "one of them"),
        ({"h": DROPPED}, "one of them"),
        ({"h": DROPPED, "tol": 0.0}, "tol must be larger than 0"),
        ({"h": DROPPED, "tol": 1.0}, "at most 0.1"),
        ({"h": DROPPED, "tol": 1e-6, "methods": ["reference"]}, "a tolerance of its own"),
    ],
    ids=str,
)
def test_a_wrong_setting_is_told(change, words):
    with pytest.raises(da.UsageError, match=words):
        setting(registry, {k: v for k, v in {**DISK, **change}.items() if v is not DROPPED})


def test_a_system_without_a_start_is_told():
    class NoStart(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v

    with pytest.raises(da.UsageError, match=r"write `initial\(self\)` in NoStart"):
        Studio({"no-start": NoStart}).describe({"system": "no-start"})


def test_wrong_requests_are_told_by_the_server(server):
    for body, words in (
        (b"{", "Expecting"),
        (b"[1]", "one JSON object"),
        (json.dumps({**DISK, "parameters": {"m": -1}}), "'m' must be positive"),
        ('{"system": "rolling-disk", "methods": ["rk4"], "h": NaN, "t": 1}', "finite number"),
        (json.dumps({**DISK, "kind": "../x"}), "kind must be"),
    ):
        action = (
            "export" if b"kind" in (body if isinstance(body, bytes) else body.encode()) else "run"
        )
        status, answer = post(server, action, body)
        assert status == 400 and words in answer["error"], answer


@pytest.mark.parametrize("more", ["Content-Length: 64", "Transfer-Encoding: chunked"])
def test_finding3_c6_the_body_of_a_get_is_no_request(server, more):
    """It is refused, and the connection closed: two requests, one answer."""
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    inner = f"GET /viewer.css HTTP/1.1\r\n{host}\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as link:
        link.sendall(f"GET /viewer.js HTTP/1.1\r\n{host}{more}\r\n\r\n{inner}".encode())
        answer = b"".join(iter(lambda: link.recv(1 << 16), b""))
    assert answer.startswith(b"HTTP/1.1 400") and answer.count(b"HTTP/1.1 ") == 1


def test_a_port_in_use_is_told(server):
    with pytest.raises(da.UsageError, match=f"port {server.port} is in use"):
        serve(registry, port=server.port)
    with pytest.raises(da.UsageError, match="between 0 and 65535"):
        serve(registry, port=70_000)


def test_page_forbids_what_it_does_not_need(server):
    status, text, headers = get(server, f"/?token={server.token}")
    assert status == 200 and server.token not in text
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe-inline" not in policy.partition("style-src")[0]
    assert headers["X-Frame-Options"] == "DENY" and headers["Cache-Control"] == "no-store"


# -- runs ----------------------------------------------------------------------------------------


def test_a_run_comes_back_as_a_scene(server):
    status, scene = post(server, "run", {**DISK, "speeds": {"theta2_dot": 2.0}})
    assert status == 200 and scene["format"] == "dalembert-scene-1"
    assert scene["studio"]["v0"]["theta2_dot"] == 2.0
    assert scene["studio"]["v0"]["x_dot"] == pytest.approx(2 * np.cos(0.3))
    assert [run["label"] for run in scene["runs"]] == ["rk4, h = 0.02"]


def test_exports_are_those_of_the_run(server, tmp_path):
    status, data = post(server, "export", {**DISK, "kind": "data"})
    assert status == 200
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["rk4.nc"]
        archive.extractall(tmp_path)
    traj = da.load(tmp_path / "rk4.nc")
    system = registry[DISK["system"]]()
    exact, _ = system.closed_form(traj.t[-1])
    assert np.allclose(traj.q[-1], exact, atol=1e-6)
    status, page = post(server, "export", {**DISK, "kind": "page"})
    assert status == 200 and page.startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize("how", [{"h": 0.02}, {"tol": 1e-7}], ids=str)
def test_script_does_the_same(server, monkeypatch, capsys, how):
    wish = {k: v for k, v in DISK.items() if k != "h"} | how
    wish |= {"parameters": {"R": 0.8}, "speeds": {"theta1_dot": 0.9}}
    status, text = post(server, "export", {**wish, "kind": "script"})
    assert status == 200
    monkeypatch.setattr(da, "show", lambda system, *runs: None)  # nobody looks
    names = {}
    exec(text, names)  # as the user would run the file
    (theirs,) = names["runs"]
    assert "rolling" in capsys.readouterr().out
    _, (ours,), _ = Studio(registry)._runs(wish)
    assert theirs.meta == ours.trajectory.meta and np.array_equal(theirs.q, ours.trajectory.q)
    assert theirs.meta.tol == wish.get("tol") and names["system"].R == 0.8


def test_a_tolerance_is_met_and_its_error_is_shown(monkeypatch):
    wish = {**DISK, "tol": 1e-9, "methods": ["rk4", "gauss-4"]}
    del wish["h"]
    studio = Studio(registry)
    scene = json.loads(studio.run(wish).body)
    system = registry[DISK["system"]]()
    assert scene["warnings"] == []
    for run, shown in zip(studio._last[2], scene["runs"]):
        exact, _ = system.closed_form(1.0)
        error = np.abs(run.trajectory.q[-1] - exact).max() / np.abs(run.trajectory.q).max()
        assert error < 1e-9 and run.trajectory.t[-1] == pytest.approx(1.0)
        estimate = run.trajectory.meta.error_estimate
        assert f"error at the end about {estimate:.1e}" in shown["label"]
    # what cannot be had is told: with few steps, in no time, at all
    monkeypatch.setattr(setting_module, "MOST_STEPS", 20)
    with pytest.raises(da.UsageError, match=r"rk4: \d+ steps are too many.*raise tol = 1e-10"):
        studio.run({**wish, "tol": 1e-10, "methods": ["rk4"]})
    monkeypatch.undo()
    monkeypatch.setattr(work, "MOST_SECONDS", -1.0)
    with pytest.raises(da.UsageError, match="no step for tol = 1e-10 was found in time"):
        studio.run({**wish, "tol": 1e-10, "methods": ["rk4"]})
    monkeypatch.undo()
    with pytest.raises(da.UsageError, match="below the round-off"):
        studio.run({**wish, "tol": 1e-20, "methods": ["rk4"]})


def test_a_failed_run_is_shown_until_it_fails():
    class Falls(registry["vertical-rolling-disk"]):
        def potential(self, q):
            return jnp.sqrt(1.5 - q[3])  # no number beyond theta2 = 1.5

    studio = Studio({"falls": Falls})
    wish = {"system": "falls", "methods": ["rk4"], "h": 0.02, "t": 3.0}
    scene = json.loads(studio.run(wish).body)
    assert "rk4" in scene["warnings"][0] and scene["runs"][0]["rows"] > 10


def test_a_run_can_be_cancelled():
    class Cancelled(registry["vertical-rolling-disk"]):
        def initial(self):
            studio.cancel({})  # while the run is being prepared
            return super().initial()

    studio = Studio({"cancelled": Cancelled, **registry})
    with pytest.raises(Stopped, match="cancelled"):
        studio.run({**DISK, "system": "cancelled"})
    assert studio.run(DISK).body  # the next one is not


def test_the_watch_ends_a_run(monkeypatch):
    system = registry["vertical-rolling-disk"]()
    watch = Watch(60.0)
    watch.cancelled = True
    with pytest.raises(Stopped, match="cancelled"):
        da.simulate(system, da.RK4(), h=0.01, steps=1000, save=_Watched(1, watch), progress=False)
    monkeypatch.setattr(work, "MOST_SECONDS", 0.0)
    scene = json.loads(Studio(registry).run({**DISK, "t": 3000.0}).body)
    assert scene["warnings"][0] == "rk4: stopped after 0 s: take a shorter run or a larger h"
    assert 1 < scene["runs"][0]["rows"] < 15_000  # of 18751: what there is is shown


def test_another_parameter_compiles_nothing(compilations):
    studio = Studio(registry)
    studio.run(DISK)
    before = compilations()
    studio.run({**DISK, "parameters": {"m": 2.0, "R": 0.7}, "h": 0.01})
    assert compilations() == before


# -- hybrid systems, machines from parts, controllers --------------------------------------------

BALL = {"system": "bouncing-ball", "methods": ["gauss-2"], "h": 0.02, "t": 2.0}


def test_a_hybrid_system_has_the_sliders_of_its_function(tmp_path):
    studio = Studio(hybrid_registry)
    form = json.loads(studio.describe({"system": "bouncing-ball"}).body)
    assert {p["name"]: p["value"] for p in form["parameters"]}["restitution"] == 0.8
    assert form["places"] == form["speeds"] == []
    scenes = {}
    for restitution in (0.8, 0.4):
        ask = {**BALL, "parameters": {"restitution": restitution}}
        _, (found,), _ = studio._runs(ask)
        scenes[restitution] = json.loads(studio.run(ask).body)
        own = da.simulate(hybrid_registry["bouncing-ball"](restitution=restitution), h=0.02, t=2.0)
        assert np.array_equal(found.trajectory.q, own.q)
        assert len(found.trajectory.jumps.t) == len(own.jumps.t) > 1
    assert scenes[0.8]["runs"][0]["bodies"] and scenes[0.8] != scenes[0.4]
    with zipfile.ZipFile(io.BytesIO(studio.export({**BALL, "kind": "data"}).body)) as archive:
        archive.extractall(tmp_path)
    assert isinstance(da.load(tmp_path / "gauss-2.nc"), HybridTrajectory)
    with pytest.raises(da.UsageError, match="only single systems can be analyzed"):
        studio.analyze(BALL)
    with pytest.raises(da.UsageError, match="parameter of bouncing-ball"):
        studio.run({**BALL, "parameters": {"colour": 1.0}})


def test_a_machine_from_parts_has_the_sliders_of_its_parts():
    robot = da.parts.build(
        da.parts.Body("rod", 2.0, inertia=0.1),
        da.parts.Revolute("rod", at=(0, 0, 1), child_at=(0, 0, 0.3), axis="y"),
        da.parts.Gravity(),
        name="rod",
    )
    studio = Studio({"rod": robot})
    form = json.loads(studio.describe({"system": "rod"}).body)
    assert {p["name"]: p["value"] for p in form["parameters"]}["rod.mass"] == 2.0
    ask = {"system": "rod", "methods": ["rk4"], "h": 0.01, "t": 1.0, "speeds": {}}
    ask["places"] = {form["places"][0]["name"]: 0.5}
    ends = {}
    for mass in (2.0, 4.0):
        _, (found,), _ = studio._runs({**ask, "parameters": {"rod.mass": mass}})
        ends[mass] = found.trajectory.q[-1]
    assert not np.allclose(ends[2.0], ends[4.0])
    with pytest.raises(da.UsageError, match="mass"):
        studio.run({**ask, "parameters": {"rod.mass": -1.0}})


def test_a_controller_is_switched_on():
    studio = Studio(registry)
    form = json.loads(studio.describe({"system": "balancing-robot"}).body)
    (name,) = form["controllers"]
    ask = {"system": "balancing-robot", "methods": ["rk4"], "h": 0.005, "t": 3.0}
    lean = {}
    for control in ("", name):
        _, (found,), _ = studio._runs({**ask, "control": control})
        lean[control] = float(np.abs(found.trajectory["alpha"]).max())
    assert lean[name] < 0.5 < lean[""]  # it falls without
    with pytest.raises(da.UsageError, match="controller"):
        studio.run({**ask, "control": "fly"})
    with pytest.raises(da.UsageError, match="controller"):
        studio.run({**DISK, "control": name})


ROBOT = {"system": "balancing-robot", "methods": ["rk4"], "h": 0.005, "t": 0.2}


@pytest.mark.parametrize("ask", [BALL, {**ROBOT, "control": "balance (LQR)"}])
def test_scripts_of_hybrid_and_controlled_runs_run(ask, monkeypatch, capsys):
    shown = []
    monkeypatch.setattr(da, "show", lambda system, *runs: shown.extend(runs))
    studio = Studio({**registry, **hybrid_registry})
    exec(studio.export({**ask, "kind": "script"}).body.decode(), {})
    _, (ours,), _ = studio._runs(ask)
    assert np.array_equal(shown[0].q, ours.trajectory.q)


ROD = """
from dalembert import parts

def made():
    return parts.build(
        parts.Body("rod", 2.0, inertia=0.1),
        parts.Revolute("rod", at=(0, 0, 1), child_at=(0, 0, 0.3), axis="y", start=0.4),
        parts.Gravity(),
        name="rod",
    )

rod = made()
"""


@pytest.mark.parametrize("name", ["made", "rod"])
def test_the_script_of_a_machine_in_a_file_runs(name, tmp_path, monkeypatch, capsys):
    """The file holds the machine, or a function that builds it; the sliders change its numbers."""
    from dalembert.cli.seeing import _own

    file = tmp_path / "machine.py"
    file.write_text(ROD)
    spec = f"{file}:{name}"
    title, maker = _own(spec)
    studio = Studio({title: maker}, spec)
    ask = {"system": title, "methods": ["rk4"], "h": 0.02, "t": 0.4}
    ask["parameters"] = {"rod.mass": 5.0}
    shown = []
    monkeypatch.setattr(da, "show", lambda system, *runs: shown.extend(runs))
    exec(studio.export({**ask, "kind": "script"}).body.decode(), {})
    _, (ours,), _ = studio._runs(ask)
    assert np.array_equal(shown[0].q, ours.trajectory.q)
    assert not np.array_equal(shown[0].q, da.simulate(maker, da.RK4(), h=0.02, t=0.4).q)


def test_every_start_has_three_presets():
    for speeds in ({"x_dot": 0.0, "y_dot": 0.0}, {"x_dot": 1.0, "y_dot": 0.0}):
        found = presets("some-system", {"x": 0.0}, speeds)
        assert len({x["name"] for x in found}) == 3 == len({x["speeds"]["x_dot"] for x in found})
    assert len(presets("rolling-disk", {"theta": 0.0}, {"psi_dot": 1.0})) == 3
