"""The zoo: every system checked against its equations of motion, without integrating.

Invariants and closed forms are differentiated along `dynamics.acceleration`; descriptions of the
same body are compared state by state; printed formulas that are wrong must fail.
"""

import dataclasses
import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import at_rows, jit
from dalembert import dynamics, groupoids, systems
from dalembert.request.validate import own_start
from dalembert.system import System, as_arrays

NAMES = sorted(systems.registry)
AFFINE = [n for n in NAMES if "Theta" in systems.registry[n].__dataclass_fields__]
CLOSED = [n for n in NAMES if hasattr(systems.registry[n], "closed_form")]
SO3 = da.SO(3)


# Compiling takes most of the time here, so the code is compiled once for each kind of system (its
# parameters are arguments), for any number of states, by native code or with little optimization.
quick = functools.partial(
    jit,
    compiler_options={"xla_backend_optimization_level": 0},
)


# Displacements in q and v from the default data; the first state stays there.
OFFSETS = np.random.default_rng(0).normal(size=(4, 2, 10)) * np.array([0.3, 0.5])[None, :, None]
OFFSETS[0] = 0.0


@at_rows
def displaced(system, offset, q0, v0, t):
    """The residual of data, and a consistent state that is displaced from them."""
    q = groupoids.move(system.groupoid, q0, offset[0])
    v = dynamics.consistent_velocity(system, q, v0 + offset[1], t)
    return dynamics.constraint_residual(system, q0, v0), (q, v)


def starts(system, t=0.0):
    """Default data of a system, their residual, and four consistent states, these data first."""
    default = own_start(system)
    four = jax.tree.map(lambda x: np.stack(4 * [x]), default)
    residual, found = displaced(system, OFFSETS[:, :, : system.dim], *four, t)
    return default, residual[0], found


@functools.cache
def start(name):
    """The same of a system of the zoo."""
    return starts(systems.registry[name]())


def states(system, t=0.0):
    """Four consistent states, the default data first."""
    return starts(system, t)[2]


@at_rows
def _motion(system, q, v, t):
    solved = dynamics.solved(system, q, v, t)
    residual = dynamics.constraint_residual(system, q, v, t)
    return solved.acceleration, solved.multipliers, residual


def motion(system, q, v, t=0.0):
    """Acceleration, multipliers and constraint residual of a batch of states."""
    return _motion(system, q, v, t)


def rates(system, functions, q, v, t=0.0):
    """Values and time derivatives of functions of (q, v) along the motion, by name."""
    a = motion(system, q, v, t)[0]

    @at_rows
    def along(system, q, v, a):
        at = lambda s: (groupoids.move(system.groupoid, q, s * v), v + s * a)
        values = lambda s: {name: f(*at(s)) for name, f in functions.items()}
        return jax.jvp(values, (0.0,), (1.0,))

    return along(system, q, v, a)


@functools.cache
def zoo(name):
    """A system, four states of it, and values and rates of its invariants and its energy."""
    system = systems.registry[name]()
    q, v = start(name)[2]
    functions = dict(system.invariants)
    functions.setdefault("energy", functools.partial(dynamics.energy, system))
    return system, (q, v), rates(system, functions, q, v)


def assert_zero(arrays, tolerance):
    for array in jax.tree.leaves(arrays):
        np.testing.assert_allclose(array, 0.0, atol=tolerance)


def positive_fields(cls):
    """Names of the parameters that must be positive."""
    specs = {f.name: f.metadata.get("dalembert") for f in dataclasses.fields(cls)}
    return [name for name, spec in specs.items() if spec is not None and spec.positive]


# -- contract ------------------------------------------------------------------------------------


def test_registry_names_every_class():
    assert len(systems.registry) == 52
    for name, cls in systems.registry.items():
        assert cls.name() == name
        assert getattr(systems, "".join(w.capitalize() for w in name.split("-"))) is cls
    assert set(systems.__all__) == {c.__name__ for c in systems.registry.values()} | {"registry"}


@pytest.mark.parametrize("name", NAMES)
def test_documented(name):
    system = systems.registry[name]()
    (q, v), _, _ = start(name)
    assert len(system.velocity_names) == system.dim == v.shape[0]
    size = system.groupoid.base.flatten(q).shape[0]
    assert len(system.coordinate_names) == len(system.units) == size
    assert system.reference and "Reference: " in type(system).__doc__
    for field, _, unit, doc in system.parameter_table():
        if field not in ("n", "omega", "standing", "rotors"):
            assert unit and doc, field
    assert system.path(q).shape == ((0,) if size == 0 else (2,))


@pytest.mark.parametrize("name", NAMES)
def test_default_data_are_consistent(name):
    system = systems.registry[name]()
    larger = {f: 1.3 * getattr(system, f) for f in positive_fields(system)}
    larger = starts(system.with_parameters(**larger))
    for (_, v), residual, _ in (start(name), larger):
        assert v.dtype == jnp.float64 and bool(jnp.all(jnp.isfinite(v)))
        assert residual.shape[0] > 0 or not system.is_constrained
        np.testing.assert_allclose(residual, 0.0, atol=1e-12)
        assert float(jnp.max(jnp.abs(v))) > 0.1


@pytest.mark.parametrize("name", NAMES)
def test_negative_inertia_is_refused(name):
    cls = systems.registry[name]
    assert positive_fields(cls) or name == "suslov"
    for field in positive_fields(cls):
        for bad in (-getattr(cls(), field), 0.0 * getattr(cls(), field), np.nan):
            with pytest.raises(da.UsageError, match=f"'{field}'"):
                cls(**{field: bad})


def test_unphysical_parameters_are_refused():
    bad = [
        (systems.ChaplyginBall, {"inertia": (1.0, 0.5, 1.6)}, "triangle inequality"),
        (systems.ChaplyginBall, {"inertia": (1.0, 0.5)}, "shape"),
        (systems.RollingDisk, {"I2": 0.6}, "I2 <= 2 I1"),
        (systems.TwoWheeledRobot, {"J": 0.07}, "'J'"),
        (systems.Suslov, {"inertia": -np.eye(3)}, "'inertia'"),
        (systems.Suslov, {"inertia": np.diag([1.0, 1.0, 3.0])}, "triangle"),
        (systems.Suslov, {"inertia": np.eye(3) + np.eye(3, k=1)}, "symmetric"),
        (systems.Suslov, {"a": (0.0, 0.0, 0.0)}, "vanish"),
        (systems.SuslovSoN, {"n": 2}, "'n'"),
        (systems.SuslovSoN, {"n": 4, "mass_tensor": (1.0, 2.0, 3.0)}, "'mass_tensor'"),
        (systems.SuslovSoN, {"covectors": np.ones((2, 6))}, "independent"),
        (systems.SuslovSoN, {"covectors": np.ones(6)}, "'covectors'"),
        (systems.ChaoticQuartic, {"n": 1}, "'n'"),
        (systems.ChaoticQuartic, {"n": 2.5}, "integer"),
        (systems.SuslovSoN, {"n": "four"}, "an integer"),
        (systems.JoinedDisks, {"standing": 3}, "'standing'"),
        (systems.ChaplyginSleigh, {"a": "long"}, "'a'"),
    ]
    for cls, values, message in bad:
        with pytest.raises(da.UsageError, match=message):
            cls(**values)
    # a new n brings data of its own size
    assert systems.SuslovSoN().with_parameters(n=5).mass_tensor.shape == (5,)
    assert systems.ChaoticQuartic(n=4.0).dim == 9
    # a table may turn either way, a center of mass may lie behind the blade
    systems.ChaplyginBall(Theta=-1.0)
    systems.ChaplyginSleigh(a=-0.2)
    # [F15] Fig. 3, right: not possible for a ball, but a rigid body
    systems.ChaplyginBall(inertia=(10.0, 10.0, 1.0), m=1.0)


def test_closed_form_refuses_what_it_does_not_cover():
    with pytest.raises(da.UsageError, match="stiffness"):
        systems.NonholonomicParticle(stiffness=1.0).closed_form(1.0)
    with pytest.raises(da.UsageError, match="potential_strength"):
        systems.MobileRobot(potential_strength=10.0).closed_form(1.0)
    with pytest.raises(da.UsageError, match="both"):
        systems.KnifeEdge().closed_form(1.0, q0=jnp.zeros(3))


def test_parameters_are_leaves():
    def turn(a):
        return systems.ChaplyginSleigh(a=a).closed_form_multiplier(2.0)[0]

    # one compilation for a batch of systems, their derivatives, and the neighbors
    values = quick(jax.vmap(jax.value_and_grad(turn)))
    h = 1e-6
    lam, slope = values(jnp.array([0.1, 0.2, 0.2 - h, 0.2 + h]))
    assert len(set(np.asarray(lam))) == 4
    np.testing.assert_allclose(slope[1], (lam[3] - lam[2]) / (2 * h), rtol=1e-7)


# -- what is claimed to be constant --------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_invariants_have_no_rate(name):
    system, (q, v), (values, slopes) = zoo(name)
    assert_zero(motion(system, q, v)[2], 1e-12)
    assert system.invariants
    for key in system.invariants:
        scale = max(1.0, float(jnp.max(jnp.abs(values[key]))))
        np.testing.assert_allclose(slopes[key], 0.0, atol=1e-10 * scale, err_msg=key)


@pytest.mark.parametrize("name", NAMES)
def test_energy_is_conserved_where_claimed_and_only_there(name):
    system, _, (values, slopes) = zoo(name)
    claimed = dynamics.energy_is_conserved(system)
    assert claimed == ("energy" in system.invariants) == (name not in AFFINE)
    if claimed:
        assert_zero(slopes["energy"], 1e-10 * float(jnp.max(jnp.abs(values["energy"]))))
    else:
        # the table does work
        assert float(jnp.min(jnp.abs(slopes["energy"][1:]))) > 1e-3


def test_invariants_with_other_parameters():
    for system in (
        systems.NonholonomicParticle(stiffness=1.0),
        systems.MobileRobot(potential_strength=10.0),
        systems.PerturbedContactOscillator(epsilon=0.5, k=2.0),
    ):
        _, slopes = rates(system, system.invariants, *states(system))
        assert_zero(slopes, 1e-10)
    for name in AFFINE:
        ball = systems.registry[name](Theta=0.0)
        energy = {"E": functools.partial(dynamics.energy, ball)}
        _, slopes = rates(ball, energy, *states(ball))
        assert_zero(slopes, 1e-10)
    assert "p_nh" not in systems.NonholonomicParticle(stiffness=1.0).invariants
    assert "p_nh" in systems.NonholonomicParticle().invariants


@pytest.mark.parametrize("table", [{"amplitude": 0.3}, {"omega": lambda t: 1.0 + 0.5 * t**2}])
def test_ball_on_a_table_of_any_rate_keeps_j(table):
    ball = systems.BallOnTurntableEuler(**table)
    t = 0.7
    assert set(ball.invariants) == {"J"}
    q, v = states(ball, t)
    a, _, residual = motion(ball, q, v, t)
    w, w_dot = ball.table_rate(t), jax.grad(ball.table_rate)(t)
    assert abs(w_dot) > 0.1
    # x' + kappa Omega y and y' - kappa Omega x are constant
    kappa = ball.I / (ball.I + ball.m * ball.r**2)
    one = a[:, 0] + kappa * (w * v[:, 1] + w_dot * q[:, 1])
    two = a[:, 1] - kappa * (w * v[:, 0] + w_dot * q[:, 0])
    _, slopes = rates(ball, ball.invariants, q, v, t)
    assert_zero((residual, one, two, slopes), 1e-11)


# -- closed forms --------------------------------------------------------------------------------

TIMES = (-1.3, 0.4, 2.7, 7.0)


@functools.partial(quick, static_argnums=0)  # sums of many terms are loops there
def _exact(static, arrays, q0, v0, t):
    system = eqx.combine(arrays, static)

    def one(q, v):
        form = jax.jvp(lambda s: system.closed_form(s, q, v), (t,), (jnp.ones(()),))
        known = hasattr(system, "closed_form_multiplier")
        return *form, system.closed_form_multiplier(t, q, v) if known else None

    return jax.vmap(one)(q0, v0)


def exact(system, q0, v0, t):
    """Closed form at time t, its time derivative, its multiplier, for a batch of starts."""
    arrays, static = as_arrays(system)
    return _exact(static, arrays, q0, v0, jnp.asarray(t))


def check_closed_form(system, q0, v0, times=TIMES):
    """A closed form solves the equations of motion from each start."""
    for t in (0.0, *times):
        (q, v), (q_dot, v_dot), lam = exact(system, q0, v0, t)
        a, lam_motion, residual = motion(system, q, v)
        if t == 0.0:
            assert_zero((q - q0, v - v0), 1e-13)
        # a reduced system has no coordinates for the last velocities
        assert_zero((q_dot - v[:, : q.shape[1]], v_dot - a, residual), 1e-10)
        if lam is not None:
            assert_zero(lam - lam_motion, 1e-10)


@pytest.mark.parametrize("name", CLOSED)
def test_closed_form_solves_the_equations(name):
    system, (q, v), _ = zoo(name)
    check_closed_form(system, q, v)


def test_multipliers_that_are_known():
    known = [n for n in NAMES if hasattr(systems.registry[n], "closed_form_multiplier")]
    assert {"knife-edge", "chaplygin-sleigh", "nonholonomic-particle", "suslov"} < set(known)
    for name in known:
        system, (q, v), _ = zoo(name)
        assert float(jnp.max(jnp.abs(motion(system, q, v)[1]))) > 1e-3


def test_closed_forms_at_their_limits():
    def check(system, q, v):
        check_closed_form(system, *(jnp.tile(jnp.asarray(x), (4, 1)) for x in (q, v)))

    check(systems.NonholonomicParticle(), [0.2, 0.5, 0.1], [0.3, 0.0, 0.15])
    check(systems.KnifeEdge(), [0.1, 0.2, 0.0], [0.7, 0.0, 0.0])  # does not turn
    sleigh = systems.ChaplyginSleigh
    check(sleigh(), [0.1, 0.2, 0.0], [0.7, 0.0, 0.0])
    check(sleigh(), [0.1, 0.2, 0.0], [0.0, 0.0, -0.4])
    check(sleigh(), [0.1, 0.2, 0.3], [0.0, 0.0, 0.0])
    check(sleigh(a=0.0), [0.1, 0.2, 0.0], [0.7, 0.0, 0.4])
    check(sleigh(a=-0.3), [0.1, 0.2, 0.0], [0.6, 0.0, -0.4])
    check(systems.VerticalRollingDisk(), [0.0] * 4, [0.5, 0.0, 0.0, 0.5])
    for J in (0.8, 2.0):  # as heavy as, or heavier than, the mass at the wheels
        check_closed_form(systems.Snakeboard(J=J), *states(systems.Snakeboard(J=J)))
    board = systems.Snakeboard()
    q, v = board.initial()
    check(board, q, v.at[4].set(0.0))  # axles at rest
    for other in (systems.Suslov(a=(1.0, 0.0, 0.0)), systems.BallOnTurntable(Theta=0.0)):
        check_closed_form(other, *states(other))  # permanent rotations; straight lines


def test_long_sleigh():
    sleigh, (q, v), _ = zoo("chaplygin-sleigh")
    check_closed_form(sleigh, q, v, (-50.0, 30.0, 100.0))


def test_closed_form_starts_from_the_default_data():
    for system in (systems.KnifeEdge(), systems.BallOnTurntable()):
        for a, b in zip(system.closed_form(0.0), system.initial()):
            np.testing.assert_array_equal(a, b)


def test_golden_values():
    # homogeneous ball, exact values from the complex closed form in higher precision
    at = lambda system, t: quick(lambda t: system.closed_form(t))(t)
    q, v = at(systems.BallOnTurntable(), 10.0)
    np.testing.assert_allclose(q, [-5.02611529042885, 3.24210281388921], atol=2e-14)
    omega = [-3.61566917425731025, 3.34526168833352549, 0.0]
    np.testing.assert_allclose(v[2:], omega, atol=2e-14)
    ball = systems.BallOnTurntable()
    np.testing.assert_allclose(dynamics.energy(ball, q, v), 9.08794644703553640, atol=5e-14)
    _, start = ball.initial()
    np.testing.assert_array_equal(start, [1.0, 1.0, 0.0, 2.0, 0.0])
    _, omega = at(systems.Suslov(), 4.0)
    np.testing.assert_allclose(omega, [0.67368091, 0.16211193, -0.83579284], atol=1e-8)
    # knife edge from rest: E16 and the drift per turn
    edge = systems.KnifeEdge()
    w, pull = 1.0, 9.81 * 0.5
    q, _ = at(edge, 0.9)
    x = pull / (2 * w**2) * np.sin(0.9) ** 2
    y = pull / (2 * w**2) * (0.9 - 0.5 * np.sin(1.8))
    np.testing.assert_allclose(q, [x, y, 0.9], atol=1e-14)
    assert abs(q[1] - pull / 2 * (0.9 - 0.5 * np.sin(0.9))) > 0.1  # as printed
    q, _ = at(edge, 2 * np.pi)
    np.testing.assert_allclose(q[:2], [0.0, np.pi * pull], atol=1e-13)
    # the printed second point of the heart-shaped loop, [F08] Example 3, h = 0.1
    q, _ = at(systems.ChaplyginSleigh(), 0.1)
    np.testing.assert_allclose(q, [-0.2395, -0.0070, 0.0589], atol=5e-5)


def test_chaplygin_ball_reaches_its_reference_positions():
    ball = systems.ChaplyginBall()
    h, steps = 0.01, 1000

    def slope(state):
        x, R, v = state
        return v[:2], R @ SO3.hat(v[2:]), dynamics.acceleration(ball, (x, R), v)

    def step(state, _):
        add = lambda s, k, c: jax.tree.map(lambda a, b: a + c * b, s, k)
        k1 = slope(state)
        k2 = slope(add(state, k1, h / 2))
        k3 = slope(add(state, k2, h / 2))
        k4 = slope(add(state, k3, h))
        total = jax.tree.map(lambda a, b, c, d: (a + 2 * b + 2 * c + d) / 6, k1, k2, k3, k4)
        state = add(state, total, h)
        return state, state[0]

    (x, R), v = ball.initial()
    _, path = jax.lax.scan(step, (x, R, v), None, length=steps)
    for t, position in (
        (1, (0.9056583759104, 0.7552789119351)),
        (5, (-1.2180908697491, 2.5784247647662)),
        (10, (-3.9988186406606, 0.5833526640703)),
    ):
        np.testing.assert_allclose(path[100 * t - 1], position, atol=2e-8)


# -- two descriptions of one body ----------------------------------------------------------------


def test_chaplygin_ball_in_coordinates_and_on_the_group():
    chart, body = systems.ChaplyginBallExponential(), systems.ChaplyginBall()

    q, v = states(chart)
    a = motion(chart, q, v)[0]

    @quick
    @jax.vmap
    def describe(q, v, a):
        (Q, V), (_, V_dot) = jax.jvp(chart.to_global, (q, v), (v, a))
        numbers = lambda ball, q, v: jnp.append(
            ball.contact_momentum(q, v), ball.moving_energy(q, v)
        )
        # printed Omega(rho, rho') and omega(rho, rho'), [F15] 7.4.2
        rho, rho_dot = q[2:], v[2:]
        s = jnp.linalg.norm(rho)
        tail = -(jnp.sin(s) - s) / s**3 * (rho @ rho_dot) * rho + jnp.sin(s) / s * rho_dot
        twist = (jnp.cos(s) - 1) / s**2 * jnp.cross(rho, rho_dot)
        zeros = (
            numbers(chart, q, v) - numbers(body, Q, V),
            V[2:] - (twist + tail),
            chart.angular_velocity(q, v) - (-twist + tail),
        )
        return (Q, V, V_dot), zeros

    (Q, V, V_dot), zeros = describe(q, v, a)
    a_body, _, residual = motion(body, Q, V)
    assert_zero((*zeros, V_dot - a_body, residual), 1e-12)
    # both start from the same data
    Q0, V0 = start("chaplygin-ball")[0]
    assert_zero(jax.tree.map(lambda x, x0: x[0] - x0, (Q, V), (Q0, V0)), 1e-14)


def test_chaplygin_ball_obeys_its_reduced_equation():
    ball = systems.ChaplyginBall()

    def defect(q, v, a):
        (_, R), I, body = q, ball.inertia, v[2:]
        gamma, velocity = R[2], jnp.append(v[:2], 0.0)
        lhs = jnp.diag(I) + ball.m * ball.r**2 * (jnp.eye(3) - jnp.outer(gamma, gamma))
        rhs = -jnp.cross(body, I * body) + ball.m * ball.r * ball.Theta * R.T @ velocity
        # J = K - m r Theta X, the form of the source
        omega = R @ body
        K = R @ (I * body) + ball.m * ball.r**2 * omega * jnp.array([1.0, 1.0, 0.0])
        J = K - ball.m * ball.r * ball.Theta * jnp.append(q[0], 0.0)
        return (
            lhs @ a[2:] - rhs,
            J - ball.contact_momentum(q, v),
        )

    q, v = states(ball)
    assert_zero(quick(jax.vmap(defect))(q, v, motion(ball, q, v)[0]), 1e-12)


def test_homogeneous_ball_in_three_descriptions():
    euler, body = systems.BallOnTurntableEuler(), systems.BallOnTurntableGlobal()
    reduced = systems.BallOnTurntable()

    q, v = states(euler)
    a = motion(euler, q, v)[0]

    @quick
    @jax.vmap
    def describe(q, v, a):
        spatial = lambda q, v: jnp.concatenate([v[:2], euler.angular_velocity(q, v)])
        (Q, V), (_, V_dot) = jax.jvp(euler.to_global, (q, v), (v, a))
        w, w_dot = jax.jvp(spatial, (q, v), (v, a))
        numbers = lambda ball, q, v: jnp.append(
            ball.contact_momentum(q, v), dynamics.energy(ball, q, v)
        )
        ours = numbers(euler, q, v)
        same = (ours - numbers(body, Q, V), ours - numbers(reduced, q[:2], w))
        # E5: the third generator of the distribution has a minus
        ahead = euler.r * jnp.sin(q[3]) * jnp.stack([jnp.cos(q[4]), jnp.sin(q[4])])
        generator = lambda s: jnp.concatenate([s * ahead, jnp.array([1.0, 0.0, 0.0])])
        rows = euler.constraint(q)
        return (Q, V, V_dot), (w, w_dot), (*same, rows @ generator(-1.0)), rows @ generator(1.0)

    (Q, V, V_dot), (w, w_dot), zeros, printed = describe(q, v, a)
    a_body, _, residual = motion(body, Q, V)
    a_reduced = motion(reduced, q[:, :2], w)[0]
    assert_zero((*zeros, V_dot - a_body, w_dot - a_reduced, residual), 1e-12)
    assert float(jnp.min(jnp.max(jnp.abs(printed), axis=1))) > 0.1


def test_snakeboards_are_the_same_board():
    absolute, coupled = systems.Snakeboard(), systems.SnakeboardCoupled()

    q, v = states(coupled)
    to_absolute = lambda u: jnp.asarray(u).at[:, 3].add(u[:, 2])
    Q, V = to_absolute(q), to_absolute(v)
    a = to_absolute(motion(coupled, q, v)[0])
    assert_zero(a - motion(absolute, Q, V)[0], 1e-12)
    energies = [np.einsum("ni,ij,nj->n", w, s.mass, w) for s, w in ((coupled, v), (absolute, V))]
    np.testing.assert_allclose(*energies, rtol=1e-14)
    for side in (1.0, -1.0):  # the printed conditions, front and rear axle
        angle = q[:, 2] + side * q[:, 4]
        slip = -jnp.sin(angle) * v[:, 0] + jnp.cos(angle) * v[:, 1]
        assert_zero(slip - side * coupled.l * jnp.cos(q[:, 4]) * v[:, 2], 1e-12)


def test_snakeboard_constraint_keeps_its_rank():
    board = systems.Snakeboard()
    for phi in (0.0, 0.3, np.pi / 2, np.pi):
        q = jnp.array([0.1, 0.2, 0.4, 0.0, phi])
        rows = board.constraint(q)
        assert np.linalg.svd(np.asarray(rows), compute_uv=False)[-1] > 0.5
        # E6: the direction of the board's own motion
        generator = jnp.array([-jnp.cos(0.4), -jnp.sin(0.4), 0.0, 0.0, 0.0]) * np.cos(phi)
        np.testing.assert_allclose(rows @ generator.at[2].set(np.sin(phi)), 0.0, atol=1e-15)


def test_rolling_disk_from_rigid_body_kinematics():
    disk = systems.RollingDisk()
    x, y, z = np.eye(3)

    def center(q):
        up = jnp.array(
            [-jnp.sin(q[3]) * jnp.sin(q[4]), jnp.cos(q[3]) * jnp.sin(q[4]), jnp.cos(q[4])]
        )
        return jnp.array([q[0], q[1], 0.0]) + disk.R * up, up

    def attitude(q):  # heading, lean, then roll about the axle, the body's second axis
        return SO3.exp(q[3] * z) @ SO3.exp(-q[4] * x) @ SO3.exp(q[2] * y)

    @quick
    @jax.vmap
    def compare(q, v):
        (c, up), (c_dot, _) = jax.jvp(center, (q,), (v,))
        R, R_dot = jax.jvp(attitude, (q,), (v,))
        body = SO3.vee(R.T @ R_dot)
        inertia = jnp.array([disk.I1, disk.I2, disk.I1])
        kinetic = 0.5 * disk.m * c_dot @ c_dot + 0.5 * body @ (inertia * body)
        potential = disk.m * disk.g * c[2]
        # velocity of the point of the disk that touches the plane
        touching = c_dot + jnp.cross(R @ body, -disk.R * up)
        printed = disk.lagrangian(q, v) + 2 * disk.I2 * v[2] * v[3] * jnp.sin(q[4])
        zeros = (
            disk.lagrangian(q, v) - (kinetic - potential),
            touching[:2] - disk.constraint(q) @ v,
            touching[2],
        )
        return zeros, printed - (kinetic - potential)

    q, _ = states(disk)
    v = jax.random.normal(jax.random.key(1), q.shape)  # any velocity, rolling or not
    zeros, printed = compare(q, v)
    for zero in zeros:
        np.testing.assert_allclose(zero, 0.0, atol=1e-13)
    assert float(jnp.min(jnp.abs(printed))) > 1e-3  # E3


def test_two_wheeled_robot_follows_its_reduced_geodesics():
    robot = systems.TwoWheeledRobot()
    m0, m, l, R, c = robot.m0, robot.m0 + 2 * robot.m1, robot.l, robot.R, robot.c
    J, J2 = robot.J, robot.J_w
    scale = m0 * l * R**3 / (4 * c**2 * (2 * J2 * c**2 + J * R**2) * (2 * J2 + m * R**2))
    K1, K2 = scale * R**2 * (J - m * c**2), scale * (4 * J2 * c**2 + (J + m * c**2) * R**2)  # E19
    q, v = states(robot)
    a = motion(robot, q, v)[0]
    w1, w2 = v[:, 3], v[:, 4]
    wanted = jnp.stack([K1 * w1 - K2 * w2, K2 * w1 - K1 * w2], axis=1) * (w2 - w1)[:, None]
    np.testing.assert_allclose(a[:, 3:], wanted, atol=1e-12)
    # E18: the printed sign of the gyroscopic force turns the acceleration around
    assert float(jnp.min(jnp.max(jnp.abs(a[:, 3:] + wanted), axis=1))) > 1e-2
    # the kinetic energy of a body with its center of mass l ahead and wheels at its sides
    own = J - m0 * l**2

    def kinetic(q, v):
        ahead = lambda q, along, side: (
            q[:2]
            + jnp.stack(
                [
                    along * jnp.cos(q[2]) - side * jnp.sin(q[2]),
                    along * jnp.sin(q[2]) + side * jnp.cos(q[2]),
                ]
            )
        )
        square = lambda along, side: jnp.sum(
            jax.jvp(lambda x: ahead(x, along, side), (q,), (v,))[1] ** 2
        )
        masses = m0 * square(l, 0.0) + robot.m1 * (square(0.0, c) + square(0.0, -c))
        turning = (own - 2 * robot.m1 * c**2) * v[2] ** 2 + J2 * (v[3] ** 2 + v[4] ** 2)
        return 0.5 * (masses + turning)

    free = jax.random.normal(jax.random.key(2), v.shape)
    assert_zero(
        quick(jax.vmap(lambda q, v: kinetic(q, v) - robot.lagrangian(q, v)))(q, free), 1e-13
    )


def test_suslov_in_three_and_in_n_dimensions():
    three, general = systems.Suslov(), systems.SuslovSoN(n=3)
    q, v = states(three)
    np.testing.assert_allclose(states(general)[1], v, atol=1e-15)
    a = motion(three, q, v)[0]
    np.testing.assert_allclose(a, motion(general, q, v)[0], atol=1e-13)
    # Euler's equations with a reaction along a
    inertia = np.diag([5.0, 4.0, 3.0])
    euler = np.asarray(a) @ inertia - np.cross(np.asarray(v) @ inertia, v)
    assert_zero(np.cross(euler, np.ones(3)), 1e-13)


def test_suslov_so_n_obeys_its_matrix_equation():
    body, (q, v), _ = zoo("suslov-so-n")
    group, J = da.SO(4), np.diag(body.mass_tensor)[None]
    a, lam, _ = motion(body, q, v)
    w, w_dot = jax.vmap(group.hat)(v), jax.vmap(group.hat)(a)
    M, M_dot = J @ w + w @ J, J @ w_dot + w_dot @ J
    force = jax.vmap(group.vee)(M_dot - (M @ w - w @ M))
    assert_zero(force - lam @ body.covectors, 1e-12)
    assert float(jnp.min(jnp.linalg.norm(force, axis=1))) > 1e-3


def test_benenti_without_springs_moves_straight():
    pair = systems.Benenti(k1=0.0, k2=0.0)
    q, v = states(pair)
    a, lam, _ = motion(pair, q, v)
    assert_zero((a, lam), 1e-14)
    assert float(jnp.min(jnp.abs(motion(systems.Benenti(), q, v)[1]))) > 0.01


# -- ensembles and sections ----------------------------------------------------------------------


def test_ensemble_lies_on_constraint_and_energy_level(key):
    system = systems.ChaoticQuartic()

    @quick
    def draw(key, level):
        q, v = system.ensemble(key, 40, energy=level)
        energy = jax.vmap(functools.partial(dynamics.energy, system))(q, v)
        return q, v, energy, jax.vmap(functools.partial(dynamics.constraint_residual, system))(q, v)

    for level in (3.06, 0.5):
        q, v, energy, residual = draw(key, level)
        assert q.shape == v.shape == (40, system.dim)
        np.testing.assert_allclose(energy, level, rtol=1e-13)
        assert_zero(residual, 1e-13)
        assert float(jnp.min(jnp.std(q, axis=0))) > 0.1
        assert float(jnp.min(jnp.std(v, axis=0))) > 0.1


def test_section_of_the_perturbed_oscillator():
    system = systems.PerturbedContactOscillator(epsilon=0.5, m=2.0, k=3.0)
    q, v = jax.vmap(system.section)(jnp.array([0.3, 0.6]), jnp.array([0.2, 0.1]))
    assert bool(jnp.all(q[:, 0] > 0)) and q[:, 1].tolist() == [-1.0, -1.0]
    energy = quick(jax.vmap(lambda q, v: dynamics.energy(system, q, v)))(q, v)
    np.testing.assert_allclose(energy, 1.5 * 3.0, rtol=1e-14)


def test_user_system_and_zoo_agree():
    class Mine(da.System):
        m: float = 1.0
        space = da.Euclidean(3)

        def lagrangian(self, q, v):
            return 0.5 * self.m * v @ v

        def constraint(self, q):
            return jnp.array([[-q[1], 0.0, 1.0]])

    particle, (q, v), _ = zoo("nonholonomic-particle")
    assert_zero(motion(particle, q, v)[0] - motion(Mine(), q, v)[0], 1e-15)
    assert isinstance(particle, System) and eqx.is_array_like(particle.m)
