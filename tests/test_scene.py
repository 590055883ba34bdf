"""Scenes: what is drawn moves as the constraint says; defaults; poses on rows; mistakes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import dynamics
from dalembert import scene as sc
from dalembert.groupoids import move
from dalembert.scene.poses import integrated

REGISTRY = da.systems.registry
ROLLS = {  # contacts of each system, so that none is left out
    "roller-racer": 4, "car-with-trailer": 6, "balancing-robot": 2,
    "ball-on-turntable": 1, "ball-on-turntable-euler": 1, "ball-on-turntable-global": 1,
    "chaplygin-ball": 1, "chaplygin-ball-exponential": 1, "chaplygin-sleigh": 1,
    "knife-edge": 1, "snakeboard": 4, "snakeboard-coupled": 4, "vertical-rolling-disk": 1,
    "rolling-disk": 1, "mobile-robot": 3, "two-wheeled-robot": 2, "suslov": 1,
    "nonholonomic-particle": 1, "modified-particle": 1, "particle-without-measure": 1,
    "contact-oscillator": 1, "perturbed-contact-oscillator": 1, "rolling-sphere": 1,
    "landed-ball": 1, "joined-disks": 2,
    "whipple-bicycle": 2, "rattleback": 1, "routh-sphere": 1, "rolling-ellipsoid": 1,
    "sphere-in-cylinder": 1, "sphere-on-sphere": 1, "sleigh-with-trailer": 2,
    "car-with-trailers": 12, "mecanum-platform": 4, "unicycle-with-rider": 1, "wheeled-snake": 3,
    "chaplygin-top": 1, "rubber-ball": 1, "sleigh-with-rotor": 1, "sleigh-with-moving-mass": 1,
    "ball-in-turning-cone": 1, "ball-in-turning-bowl": 1,
}  # fmt: skip
NO_CONTACT = {
    "benenti", "chaotic-quartic", "suslov-so-n", "planar-body", "twisted-inputs", "passive-arm",
    "underwater-vehicle", "particle-with-fading-constraint", "particle-across-cone", "veselova",
}  # fmt: skip


def allowed_state(system, seed):
    """A random (q, v, frame) on the linear constraint."""
    rng = np.random.default_rng(seed)
    q, _ = system.initial()
    q = move(system.groupoid, q, jnp.asarray(0.4 * rng.normal(size=system.dim)))
    A = np.asarray(dynamics.linear_constraint(system, q))
    b = np.asarray(dynamics.linear_offset(system, jnp.asarray(0.7), q))
    free = np.linalg.svd(A)[2][len(A) :]
    v = np.linalg.pinv(A) @ b + free.T @ rng.normal(size=len(free))
    group = system.groupoid.group
    frame = group.exp(jnp.asarray(rng.normal(size=group.dim))) if group.dim else None
    return q, jnp.asarray(v), frame


def test_every_system_of_the_zoo_is_in_the_list():
    assert set(ROLLS) | NO_CONTACT == set(REGISTRY)
    for name, cls in REGISTRY.items():
        assert cls.scene is not da.System.scene, f"{name} has no scene of its own"


@pytest.mark.parametrize("name", ROLLS)
def test_drawn_contact_does_not_slip(name):
    system = REGISTRY[name]()
    q, v, frame = allowed_state(system, 5)
    slips = sc.slip(system, q, v, 0.7, frame)
    assert len(slips) == ROLLS[name]
    for slip in slips.values():
        assert float(np.max(np.abs(slip))) < 1e-10 * float(np.linalg.norm(v))


@pytest.mark.parametrize("name", ["rolling-disk", "snakeboard", "ball-on-turntable", "suslov"])
def test_slip_sees_a_velocity_off_the_constraint(name):
    system = REGISTRY[name]()
    q, v, frame = allowed_state(system, 5)
    wrong = v + 0.1 * system.constraint(q)[0]
    slips = sc.slip(system, q, wrong, 0.7, frame)
    assert max(float(np.max(np.abs(x))) for x in slips.values()) > 0.01


def test_slip_sees_a_wheel_that_turns_the_wrong_way():
    class Backwards(da.systems.VerticalRollingDisk):
        def scene(self):
            body = sc.Body(
                "disk",
                sc.wheel(self.R, 0.1),
                lambda row: sc.above(row.q, self.R),
                lambda row: sc.turn_z(row.q[2]) @ sc.turn_y(-row.q[3]),
            )
            return sc.Scene([body], contacts=[sc.Contact("disk", lambda row: sc.above(row.q))])

    system = Backwards()
    q, v = system.initial()
    (slip,) = sc.slip(system, q, v).values()
    assert np.linalg.norm(slip) == pytest.approx(2.0, rel=1e-12)  # 2 R theta2'


def test_other_parameters_roll_too():
    for system in (
        da.systems.TwoWheeledRobot(c=0.7, R=0.35),
        da.systems.RollingDisk(R=0.4),
        da.systems.KnifeEdge(alpha=0.9),
        da.systems.Suslov(a=(0.3, -1.0, 0.2)),
        da.systems.BallOnTurntableEuler(r=0.5, Theta=-0.3, amplitude=0.8, frequency=2.0),
    ):
        q, v, frame = allowed_state(system, 11)
        for slip in sc.slip(system, q, v, 0.7, frame).values():
            assert float(np.max(np.abs(slip))) < 1e-10 * float(np.linalg.norm(v))


@pytest.mark.parametrize("start", [0, 1, 2])
def test_turn_to_is_a_rotation_onto_the_direction(start):
    for normal in np.random.default_rng(2).normal(size=(20, 3)):
        R = np.asarray(sc.turn_to(jnp.asarray(normal), start))
        assert np.allclose(R @ R.T, np.eye(3), atol=1e-9) and np.linalg.det(R) > 0
        assert np.allclose(R[:, 2], normal / np.linalg.norm(normal), atol=1e-9)


# -- poses on rows -------------------------------------------------------------------------------


def rows_of(traj):
    return traj.t, traj.q, traj.v, traj.multiplier, traj.frame


def test_poses_of_a_run_are_those_of_its_rows():
    system = da.systems.RollingDisk()
    traj = da.simulate(system, da.RK4(), h=0.01, steps=300, progress=False)
    found = sc.poses(system, *rows_of(traj))
    scene = sc.scene_of(system)
    assert found.position["disk"].shape == (301, 3)
    for k in (0, 17, 256, 300):  # across two blocks
        row = sc.Row(traj.t[k], traj.q[k], traj.v[k], None)
        assert np.allclose(found.position["disk"][k], scene.bodies[0].position(row), atol=1e-14)
        assert np.allclose(found.attitude["disk"][k], scene.bodies[0].attitude(row), atol=1e-14)
    force = jax.jit(da.dynamics.reaction_force)(system, traj.q[17], traj.v[17])
    assert np.allclose(found.arrows["friction"][1][17], [force[0], force[1], 0.0], atol=1e-9)


def test_integrated_spin_is_of_fourth_order():
    def turned(n):
        t = np.linspace(0.0, 2.0, n + 1)
        # R = Rz(t^2) Rx(sin t): omega = 2 t e3 + cos t Rz(t^2) e1
        spin = np.stack([np.cos(t) * np.cos(t**2), np.cos(t) * np.sin(t**2), 2 * t], axis=1)
        return integrated(spin, t)[-1]

    exact = np.asarray(sc.turn_z(jnp.asarray(4.0)) @ sc.turn_x(jnp.sin(2.0)))
    errors = [np.linalg.norm(turned(n) - exact) for n in (40, 80, 160)]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert np.all(np.abs(orders - 4) < 0.35), orders
    one_row = integrated(np.ones((1, 3)), np.zeros(1))
    assert np.array_equal(one_row, np.eye(3)[None])


def test_reduced_ball_is_drawn_as_the_full_one():
    options = {"h": 0.01, "steps": 200, "progress": False}
    reduced, full = da.systems.BallOnTurntable(), da.systems.BallOnTurntableGlobal()
    method = da.RK4()
    a, b = (da.simulate(s, method, **options) for s in (reduced, full))
    drawn, exact = (sc.poses(s, *rows_of(x)) for s, x in ((reduced, a), (full, b)))
    assert np.max(np.abs(drawn.attitude["ball"] - exact.attitude["ball"])) < 1e-6
    assert np.max(np.abs(drawn.position["ball"] - exact.position["ball"])) < 1e-8


# -- defaults ------------------------------------------------------------------------------------


def quiet(space, names=(), units=(), **attributes):
    """A system of one's own that says nothing about its looks."""

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    body = {"space": space, "coordinate_names": names, "units": units, "lagrangian": lagrangian}
    return type("Quiet", (da.System,), {**body, **attributes})()


@pytest.mark.parametrize(
    "space, names, kinds",
    [
        (da.Euclidean(3), ("x", "y", "theta"), ["plate"]),
        (da.Euclidean(3), ("x", "y", "z"), ["sphere"]),
        (da.Euclidean(2), ("x", "y"), ["sphere"]),
        (da.Euclidean(4), ("a", "b", "c", "d"), ["sphere"]),
        (da.Euclidean(2), ("z", "theta"), ["plate"]),
        (da.Euclidean(1), ("theta",), ["plate"]),
        (da.Product(da.Euclidean(2), da.SO(3)), (), ["ball"]),
        (da.SO(3), (), ["box", "axes"]),
        (da.LieGroup(da.SO(3)), (), ["box", "axes"]),
        (da.SE(2), (), ["plate"]),
        (da.SE(3), (), ["plate"]),
        (da.LieGroup(da.SO(4)), (), []),
    ],
    ids=str,
)
def test_default_scene(space, names, kinds):
    system = quiet(space, names)
    scene = sc.scene_of(system)
    shapes = [b.shapes if isinstance(b.shapes, tuple) else (b.shapes,) for b in scene.bodies]
    assert [s.kind for pieces in shapes for s in pieces] == kinds
    group = system.groupoid.group
    row = sc.Row(
        0.0, system.groupoid.base.identity(), jnp.zeros(system.dim), jnp.zeros(system.dim),
        group.identity() if group.dim else None,
    )  # fmt: skip
    for body in scene.bodies:
        assert body.position(row).shape == (3,)
        assert body.attitude is None or body.attitude(row).shape == (3, 3)
    for arrow in scene.arrows:
        assert arrow.vector(row).shape == (3,)


def test_a_third_coordinate_in_meters_is_no_heading():
    scene = sc.scene_of(quiet(da.Euclidean(3), ("x", "y", "theta"), ("m", "m", "m")))
    assert scene.bodies[0].attitude is None


@pytest.mark.parametrize(
    "names, units, q, place, nose",
    [
        (("z", "lean"), (), [0.3, 0.5], [0, 0, 0.3], [np.cos(0.5), 0, np.sin(0.5)]),
        (("h", "b"), ("m", "rad"), [0.3, 0.5], [0, 0, 0.3], [np.cos(0.5), 0, np.sin(0.5)]),
        (("s", "y", "b"), ("m", "m", "rad"), [1, 2, 0.5], [1, 2, 0], [np.cos(0.5), np.sin(0.5), 0]),
        (("alpha",), (), [0.5], [0, 0, 0], [np.cos(0.5), 0, np.sin(0.5)]),
    ],
)
def test_an_angle_turns_and_is_no_length(names, units, q, place, nose):
    """A height and an angle: the angle was drawn as meters along y."""
    system = quiet(da.Euclidean(len(names)), names, units)
    body = sc.scene_of(system).bodies[0]
    row = sc.Row(0.0, jnp.array(q), jnp.zeros(len(q)), jnp.zeros(len(q)))
    assert np.allclose(body.position(row), place)
    assert np.allclose(body.attitude(row)[:, 0], nose)


# -- mistakes ------------------------------------------------------------------------------------


def test_wrong_scenes_are_refused():
    body = sc.Body("a", sc.sphere(1.0))
    for wrong, words in (
        ([body], "must return a dalembert.scene.Scene"),
        (sc.Scene([body, body]), "two bodies of one name"),
        (sc.Scene([body], contacts=[sc.Contact("b", sc.origin)]), "names the body 'b'"),
    ):
        system = quiet(da.Euclidean(2), scene=lambda self, wrong=wrong: wrong)
        with pytest.raises(da.UsageError, match=words):
            sc.scene_of(system)


def test_a_misspelt_or_wrong_hook_is_refused():
    with pytest.raises(da.UsageError, match="did you mean `scene`"):
        quiet(da.Euclidean(2), scenes=lambda self: None)
    with pytest.raises(da.UsageError, match=r"must be scene\(self\)"):
        quiet(da.Euclidean(2), scene=lambda self, row: None)
