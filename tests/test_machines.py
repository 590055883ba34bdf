"""Famous machines of the zoo do what they are famous for."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import dynamics, parts, systems


def spin(t, q, v):
    """Angular velocity about the vertical."""
    return q[1][2] @ v[3:]


def test_rattleback_turns_back_one_way_soon_and_the_other_late():
    def turn(start, method, **length):
        body = systems.Rattleback(spin=start)
        run = da.simulate(body, method, **length, events={"turn": spin})
        energy = jax.vmap(functools.partial(dynamics.energy, body))(run.q, run.v)
        return float(run.events["turn"].t[0]), float(np.ptp(np.asarray(energy)))

    soon, kept = turn(-5.0, da.Taylor(), t=3.0)
    late, _ = turn(5.0, da.Taylor(), t=12.0)
    np.testing.assert_allclose((soon, late), (2.7603857, 11.5464834), atol=1e-6)
    assert kept < 1e-12
    again, drift = turn(-5.0, da.Gauss(3), h=0.001, steps=3000, save_every=20)  # another method
    assert abs(again - soon) < 1e-5
    assert kept < drift < 1e-8


def test_routh_sphere_keeps_three_integrals():
    ball = systems.RouthSphere()
    run = da.simulate(ball, da.Taylor(), t=60.0)
    for name, f in ball.invariants.items():
        values = np.asarray(jax.vmap(f)(run.q, run.v))
        assert np.max(np.abs(values / values[0] - 1)) < 1e-12, name
    # it does move: the axis nods
    assert np.ptp(np.asarray(run.q[1])[:, 2, 2]) > 0.01


def test_ball_in_a_pipe_goes_up_and_down():
    ball = systems.SphereInCylinder()

    @jax.jit
    def climbing(q, v):
        a = dynamics.acceleration(ball, q, v)

        def at(s):
            moved = da.groupoids.move(ball.groupoid, q, s * v)
            return dynamics.acceleration(ball, moved, v + s * a)[2]

        return jax.jvp(at, (0.0,), (1.0,))[1]

    q, v = ball.initial()
    # the jerk is -k/(1 + k) turn^2 times the speed: 2/7 for a solid ball, going round at 4 rad/s
    assert abs(float(v[2])) > 0.01
    np.testing.assert_allclose(climbing(q, v), -2 / 7 * 4.0**2 * v[2], rtol=1e-12)


@pytest.mark.parametrize(
    "name", ["sleigh-with-trailer", "mecanum-platform", "unicycle-with-rider", "wheeled-snake"]
)
def test_vehicles_keep_their_energy(name):
    system = systems.registry[name]()
    run = da.simulate(system, h=0.005, steps=1000, save_every=50)
    energy = da.diagnostics.energy(system, run)
    assert np.ptp(np.asarray(energy)) < 1e-6 * abs(float(energy[0]))
    assert run.meta.engine == "native"


def test_n_trailers_and_n_links():
    car, snake = systems.CarWithTrailers(n=5), systems.WheeledSnake(n=7)
    assert (car.dim, len(car.constraint_names)) == (9, 7)
    assert (snake.dim, len(snake.constraint_names)) == (9, 7)
    for bad in (0, 2.5):
        with pytest.raises(da.UsageError, match="n"):
            systems.CarWithTrailers(n=bad)
    # one trailer: the hand-written car with a trailer, whose angles are headings
    by_hand, made = systems.CarWithTrailer(), systems.CarWithTrailers(n=1)
    rng = np.random.default_rng(3)
    q = rng.normal(size=5) * 0.4
    v = dynamics.consistent_velocity(by_hand, q, rng.normal(size=5))
    M = np.zeros((5, 5))  # (x, y, theta, psi, delta) to (x, y, theta, steer, hitch)
    M[0, 0] = M[1, 1] = M[2, 2] = M[3, 4] = M[4, 3] = 1.0
    M[4, 2] = -1.0
    # the hand-written steering turns in space, here it turns with the car: only J_s differs
    small = {"J_s": 1e-12}
    a = dynamics.acceleration(by_hand.with_parameters(**small), q, v)
    b = dynamics.acceleration(made.with_parameters(**small), M @ q, M @ v)
    np.testing.assert_allclose(
        (M @ np.asarray(a))[[0, 1, 2, 4]], np.asarray(b)[[0, 1, 2, 4]], atol=1e-9
    )


def test_mecanum_wheels_follow_the_textbook():
    robot = systems.MecanumPlatform()
    q = jnp.zeros(7)
    # Muir and Neuman: wheel rates from forward, sideways and turning speed
    forward, left, turn = 0.4, 0.3, 0.2
    reach = robot.length + robot.width
    rates = [
        forward + sign * left + side * reach * turn
        for sign, side in ((-1, -1), (1, 1), (1, -1), (-1, 1))
    ]
    v = jnp.array([forward, left, turn, *(x / robot.r for x in rates)])
    np.testing.assert_allclose(dynamics.constraint_residual(robot, q, v), 0.0, atol=1e-15)
    wrong = v.at[1].set(-left)
    assert float(jnp.max(jnp.abs(dynamics.constraint_residual(robot, q, wrong)))) > 0.1


def test_reactions_carry_the_weight():
    body = systems.RollingEllipsoid()
    q, v = (jnp.array([0.0, 0.0, body.c]), jnp.eye(3)), jnp.zeros(6)
    lam = dynamics.multipliers(body, q, v)
    ((point, force),) = body.reactions(q, lam).values()
    np.testing.assert_allclose(force, [0, 0, body.m * body.g], atol=1e-12)
    np.testing.assert_allclose(point, np.zeros(3), atol=1e-15)


def test_a_machine_is_a_class_with_parameters():
    class Cart(parts.Machine):
        m: float = da.parameter(1.0, "kg", "mass", positive=True)
        l: float = da.parameter(0.5, "m", "pendulum", positive=True)

        def parts(self):
            return [
                parts.Body("cart", self.m),
                parts.Prismatic("cart"),
                parts.Body("bob", 0.2, center=(0, 0, -self.l)),
                parts.Revolute("bob", "cart", axis="-y", start=0.3),
                parts.Gravity(9.81),
            ]

    cart = Cart(l=0.4)
    assert cart.coordinate_names == ("cart", "bob") and Cart.name() == "cart"
    q, v = jnp.array([0.1, 0.4]), jnp.array([0.2, 0.7])
    m, l, g, s, c = 0.2, 0.4, 9.81, np.sin(0.4), np.cos(0.4)
    M = np.array([[1.2, m * l * c], [m * l * c, m * l**2]])
    force = np.array([m * l * s * 0.7**2, -m * g * l * s])
    np.testing.assert_allclose(
        dynamics.acceleration(cart, q, v), np.linalg.solve(M, force), rtol=1e-13
    )
    slope = jax.grad(lambda l: dynamics.acceleration(Cart(l=l), q, v)[1])(0.4)
    near = [dynamics.acceleration(Cart(l=0.4 + d), q, v)[1] for d in (1e-6, -1e-6)]
    np.testing.assert_allclose(slope, (near[0] - near[1]) / 2e-6, rtol=1e-6)
    with pytest.raises(da.UsageError, match="must list its parts"):
        parts.Machine()


def test_the_start_of_a_machine_is_settled_once_and_anew_for_other_numbers(monkeypatch):
    settles = []
    plain = parts.machine.settled
    monkeypatch.setattr(parts.machine, "settled", lambda *x: settles.append(1) or plain(*x))
    rolls = [
        parts.Body("ball", 2.0, (0.01, 0.01, 0.01)),
        parts.Free("ball", at=(0, 0, 0.1)),
        parts.Ball("ball", 0.1),
    ]
    ball = parts.build(*rolls)
    first, again = (da.simulate(ball, h=0.01, steps=1) for _ in range(2))
    assert len(settles) == 1 and np.array_equal(first.v, again.v)
    da.simulate(ball.with_parameters(**{"ball.mass": 3.0}), h=0.01, steps=1)
    assert len(settles) == 2

    class Own(parts.Machine):
        """A start that somebody else has written is asked for at each call."""

        def parts(self):
            return rolls

        def initial(self):
            return super().initial()

    for _ in range(2):
        da.simulate(Own(), h=0.01, steps=1)
    assert len(settles) == 4
