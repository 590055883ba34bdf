"""Random trees of bodies, and random closed loops: accelerations against MuJoCo's.

MuJoCo computes mass matrices, bias forces and Jacobians by recursions of its own. Trees are
compared with its accelerations. Its closures are springs, so that accelerations of loops are solved
in NumPy from its matrices: M a + c = J^T lambda, J a = -J' v.
"""

import numpy as np
import pytest

import dalembert as da
from compiled import native
from dalembert import dynamics, parts

mujoco = pytest.importorskip("mujoco")

TREES = [3, 3, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 30, 40, 50, 60]
LOOPS = [3, 4, 5, 6, 8, 10, 16, 24, 40, 60]


class Sketch:
    """A random machine, as parts and as MJCF: hinges and slides about random axes."""

    def __init__(self, seed, bodies, closed=False):
        rng = self.rng = np.random.default_rng(seed)
        # three bodies and a point of space leave no freedom: a plane does
        self.flat = closed and bodies < 6
        self.parents = [i - 1 if closed else int(rng.integers(-1, i)) for i in range(bodies)]
        if not closed:
            self.parents[0] = -1
        self.slides = [not closed and rng.random() < 0.25 for _ in range(bodies)]
        self.axes = rng.normal(size=(bodies, 3))
        self.axes /= np.linalg.norm(self.axes, axis=1, keepdims=True)
        self.at, self.centers = rng.uniform(-0.4, 0.4, (2, bodies, 3))
        if self.flat:
            self.axes[:] = (0.0, 1.0, 0.0)
        self.masses = rng.uniform(0.3, 2.0, bodies)
        shapes = rng.normal(size=(bodies, 3, 3))
        # of points of mass around the center: moments that a body can have
        spread = np.einsum("bij,bkj->bik", shapes, shapes)
        self.inertia = 0.02 * (
            np.trace(spread, axis1=1, axis2=2)[:, None, None] * np.eye(3) - spread
        )
        self.tip = rng.uniform(-0.3, 0.3, 3)  # of the last body: where a loop is closed
        if closed:
            self.closure = np.sum(self.at, axis=0) + self.tip  # all joints at zero

    def entries(self, i):
        I = self.inertia[i]
        return I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]

    def machine(self):
        made = []
        for i, parent in enumerate(self.parents):
            joint = parts.Prismatic if self.slides[i] else parts.Revolute
            made += [
                parts.Body(f"b{i}", self.masses[i], self.entries(i), self.centers[i]),
                joint(
                    f"b{i}", "ground" if parent < 0 else f"b{parent}",
                    at=self.at[i], axis=self.axes[i], name=f"j{i}",
                ),
            ]  # fmt: skip
        if hasattr(self, "closure"):
            last = f"b{len(self.parents) - 1}"
            axis = "y" if self.flat else None
            made.append(parts.Loop(last, at=self.tip, other_at=self.closure, axis=axis))
        return parts.build(*made, parts.Gravity())

    def mjcf(self):
        def numbers(x):
            return " ".join(f"{y:.17g}" for y in x)

        def body(i):
            kind = "slide" if self.slides[i] else "hinge"
            inner = "".join(body(k) for k, p in enumerate(self.parents) if p == i)
            return (
                f'<body name="b{i}" pos="{numbers(self.at[i])}">'
                f'<joint name="j{i}" type="{kind}" axis="{numbers(self.axes[i])}"/>'
                f'<inertial pos="{numbers(self.centers[i])}" mass="{self.masses[i]:.17g}" '
                f'fullinertia="{numbers(self.entries(i))}"/>{inner}</body>'
            )

        roots = "".join(body(i) for i, p in enumerate(self.parents) if p < 0)
        return (
            '<mujoco><compiler angle="radian" autolimits="false"/><option gravity="0 0 -9.81"/>'
            f"<worldbody>{roots}</worldbody></mujoco>"
        )


def state_of_mujoco(sketch, machine, q, v):
    """MuJoCo's model and data at this state, and where our joints are among its own."""
    model = mujoco.MjModel.from_xml_string(sketch.mjcf())
    data = mujoco.MjData(model)
    order = [model.joint(name).dofadr[0] for name in machine.coordinate_labels]
    data.qpos[order], data.qvel[order] = q, v
    mujoco.mj_forward(model, data)
    return model, data, order


def cases(sizes):
    return [pytest.param(seed, n, id=f"{n}-bodies-{seed}") for seed, n in enumerate(sizes)]


@pytest.mark.parametrize(("seed", "bodies"), cases(TREES))
def test_accelerations_of_a_random_tree(seed, bodies):
    sketch = Sketch(seed, bodies)
    machine = sketch.machine()
    q, v = sketch.rng.normal(size=(2, bodies))
    _, data, order = state_of_mujoco(sketch, machine, q, v)
    found = np.asarray(native(dynamics.solved)(machine, q, v, 0.0).acceleration)
    theirs = data.qacc[order]
    assert np.max(np.abs(found - theirs)) < 1e-10 * np.max(np.abs(theirs))
    # a wrong velocity is noticed: forces of inertia are in it
    other = np.asarray(native(dynamics.solved)(machine, q, -1.1 * v, 0.0).acceleration)
    assert np.max(np.abs(other - theirs)) > 1e-4 * np.max(np.abs(theirs))


@pytest.mark.parametrize(("seed", "bodies"), cases(LOOPS))
def test_accelerations_of_a_random_loop(seed, bodies):
    sketch = Sketch(100 + seed, bodies, closed=True)
    machine = sketch.machine()
    q = np.zeros(bodies)
    model, data, order = state_of_mujoco(sketch, machine, q, q)
    last = model.body(f"b{bodies - 1}").id

    def jacobian(of):
        J = np.zeros((3, model.nv))
        of(model, data, J, None, sketch.closure, last)
        rows = [0, 2] if sketch.flat else [0, 1, 2]
        return J[np.ix_(rows, order)]

    J = jacobian(mujoco.mj_jac)
    v = sketch.rng.normal(size=bodies)
    v -= np.linalg.pinv(J) @ (J @ v)
    data.qvel[order] = v
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    M, bias = M[np.ix_(order, order)], data.qfrc_bias[order]
    turned = jacobian(mujoco.mj_jacDot) @ v
    m = len(J)
    both = np.block([[M, -J.T], [J, np.zeros((m, m))]])
    theirs = np.linalg.solve(both, np.concatenate([-bias, -turned]))[:bodies]
    found = np.asarray(native(dynamics.solved)(machine, q, v, 0.0).acceleration)
    assert np.max(np.abs(found - theirs)) < 1e-10 * np.max(np.abs(theirs))


def test_energy_of_a_tree_over_ten_thousand_steps():
    sketch = Sketch(7, 6)
    sketch.slides = [False] * 6
    machine = sketch.machine()
    q, v = np.zeros(6), np.zeros(6)
    traj = da.simulate(machine, q, v, h=5e-4, steps=10_000, save_every=100)
    assert traj.meta.engine == "native"
    error = da.diagnostics.energy_error(machine, traj)
    kinetic = 0.5 * np.sum(traj.p * traj.v, axis=1)
    assert np.max(kinetic) > 1.0  # it falls
    assert np.max(np.abs(error)) < 1e-8 * np.max(kinetic)
