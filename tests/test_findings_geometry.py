"""Verdicts outside of their hypotheses: each was once told wrongly, without a word."""

import json

import jax
import jax.numpy as jnp
import pytest

import dalembert as da
from dalembert import geometry
from dalembert.cli import main
from dalembert.geometry import Symmetry


def page(system, q=None, **options) -> dict[str, tuple[str, str]]:
    """Quantity to (verdict, evidence)."""
    return {
        f.quantity: (f.verdict, f.evidence) for f in geometry.analyze(system, q, **options).findings
    }


# -- Chaplygin reduction: measure and Hamiltonian form ---------------------------------------------


class Plane(da.System):
    """z' = y x' (or another coefficient) on R^3, with terms of L to switch on; shape (x, y)."""

    drag: float = 0.0
    magnetic: float = 0.0
    stiffness: float = 0.0
    quartic: float = 0.0
    space = da.Euclidean(3)

    def slope(self, q):
        return q[1]

    def lagrangian(self, q, v):
        kinetic = 0.5 * v @ v + 0.25 * self.quartic * v[0] ** 4
        return kinetic + self.magnetic * v[2] - 0.5 * self.stiffness * (q[0] ** 2 + q[1] ** 2)

    def constraint(self, q):
        o = jnp.zeros(())
        return jnp.stack([-self.slope(q), o, jnp.ones(())])[None, :]

    def initial(self):
        return jnp.array([0.3, 0.2, 0.0]), jnp.array([1.0, 0.5, 0.2])

    @property
    def chaplygin_split(self):
        return (0, 1), da.Euclidean(1), (None, None)


class Damped(Plane):
    """The same with friction."""

    def force(self, t, q, v):
        return -self.drag * v


class NoMeasure(Plane):
    """z' = x y x' + ... of [C02] 5.4.2: beta is not closed."""

    def slope(self, q):
        return q[0] * q[1]


class Still(Plane):
    """z' = 0 in disguise of a flat connection: no gyroscopic form of the kinetic energy."""

    def slope(self, q):
        return jnp.zeros(())


def test_finding_a10_friction_is_not_ignored_by_measure_and_hamiltonian_form():
    found = page(Damped(drag=0.3))
    assert found["invariant measure"][0].startswith("does not apply: an external force")
    assert found["Hamiltonian"][0].startswith("does not apply: an external force")
    assert page(Plane())["invariant measure"][0] == "yes"


def test_finding_a10_a_term_linear_in_v_is_no_hamiltonian_verdict():
    found = page(Plane(magnetic=0.7))
    assert found["Hamiltonian"][0].startswith("does not apply: L has terms linear in v")
    # its force does no work and has no divergence: the measure is still there
    reduced = geometry.chaplygin(Plane(magnetic=0.7), (0, 1), da.Euclidean(1))
    measure = geometry.invariant_measure(reduced)
    assert measure.verdict == "yes"
    z = jnp.array([0.6, -0.7, 0.8, 0.5])
    field = geometry.reduced_field(reduced)
    rate = jax.jit(lambda z: geometry.divergence(field, z, lambda z: measure.density(z[:2])))
    assert abs(rate(z)) < 1e-12


def test_finding_a10_a_lagrangian_that_is_not_quadratic_is_outside_of_the_theorem():
    found = page(Plane(quartic=0.5))
    for row in ("invariant measure", "Hamiltonian"):
        assert found[row][0].startswith("does not apply: L is not quadratic in v")


def test_finding_a10_no_measure_with_a_potential_needs_an_argument_of_its_own():
    assert page(NoMeasure())["invariant measure"][0] == "no"
    # what decides without a potential does not with one: d beta need not vanish
    verdict, _ = page(NoMeasure(stiffness=1.0))["invariant measure"]
    assert verdict.startswith("no: at an equilibrium no power series")
    assert page(Plane(stiffness=1.0))["invariant measure"][0] == "yes"  # sufficient with one, too


# -- distribution ----------------------------------------------------------------------------------


class Flat(da.System):
    """z' = y^power x'."""

    power: int = 6
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def constraint(self, q):
        return jnp.array([[-(q[1] ** self.power), 0.0, 1.0]])


class Trailers(da.System):
    """A unicycle that draws trailers: (x, y) of the last axle, then the angles."""

    trailers: int = 2

    @property
    def space(self):
        return da.Euclidean(3 + self.trailers)

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def constraint(self, q):
        (x, y, *angles), rows = jnp.eye(3 + self.trailers), []
        for turn, angle in zip(angles, q[2:]):  # no axle slides; the next one is a unit ahead
            rows.append(jnp.sin(angle) * x - jnp.cos(angle) * y)
            x, y = x - jnp.sin(angle) * turn, y + jnp.cos(angle) * turn
        return jnp.stack(rows)


def test_finding_a10_a_search_that_was_cut_short_says_so_and_goes_on():
    q = jnp.array([0.2, 0.0, 0.1])
    short = geometry.growth(Flat(), q)
    assert short.vector == (2,) and not short.settled and short.degree is None
    verdict, evidence = page(Flat(), q)["growth vector"]
    assert verdict.startswith("inconclusive: (2,) up to degree 5") and "--degree" in evidence
    verdict, evidence = page(Flat(), q, degree=7)["growth vector"]
    assert verdict == "(2, 2, 2, 2, 2, 2, 3)" and "everything at degree 7" in evidence
    # an involutive one has ended, whatever the degree
    assert geometry.growth(Flat(power=0), q).settled


def test_finding_a10_each_trailer_takes_one_degree_more():
    # (2, 3, 4, 5): with four of them (2, 3, 4, 5, 6, 7), beyond the default; and brackets that
    # vanish up to round-off are none
    q = jnp.array([0.0, 0.0, 0.3, -0.2, 0.4])
    short = geometry.growth(Trailers(), q, max_degree=3)
    assert short.vector == (2, 3, 4) and not short.settled
    whole = geometry.growth(Trailers(), q)
    assert whole.vector == (2, 3, 4, 5) and whole.degree == 4


def test_finding_a10_the_number_that_decided_integrability_is_the_one_printed():
    # the bracket vanishes at y = 0 alone
    verdict, evidence = page(Flat(power=2), jnp.array([0.2, 0.0, 0.1]))["integrable"]
    assert verdict.startswith("no") and float(evidence.split("residual ")[1].split()[0]) > 1e-3


class Vanishing(da.System):
    """A row that is zero along x = y = 0."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def constraint(self, q):
        return jnp.array([[q[1], q[0], 0.0]])


def test_finding_a10_a_row_of_round_off_has_no_rank():
    assert geometry.constraint_rank(Vanishing(), jnp.array([1e-16, 0.0, 0.4])).rank == 0
    with pytest.raises(da.UsageError, match="singular point, the 1 constraints have rank 0"):
        geometry.analyze(Vanishing(), jnp.array([1e-16, 0.0, 0.4]))
    # units are not round-off: a row that is small everywhere has its rank

    class Micro(Vanishing):
        def constraint(self, q):
            return 1e-16 * jnp.array([[1.0, q[0], 0.0]])

    assert geometry.constraint_rank(Micro(), jnp.array([0.3, 0.0, 0.4])).rank == 1


# -- symmetry --------------------------------------------------------------------------------------


class Ball(da.System):
    """A homogeneous ball on a table; L says in a roundabout way that nothing depends on R."""

    weight: float = 9.81
    space = da.Product(da.Euclidean(2), da.SO(3))

    def lagrangian(self, q, v):
        spin, mark = q[1] @ v[2:], q[1] @ jnp.array([0.3, 0.5, 0.7])
        return 0.5 * v[:2] @ v[:2] + 0.2 * spin @ spin - self.weight * mark @ mark

    def constraint(self, q):
        roll = jnp.stack([-q[1][1], q[1][0]])
        return jnp.concatenate([jnp.eye(2), roll], axis=1)

    def initial(self):
        attitude = da.SO(3).exp(jnp.array([0.3, -0.4, 0.8]))
        v = jnp.array([0.3, 0.2, 0.4, 0.1, -0.5])
        q = (jnp.zeros(2), attitude)
        return q, da.dynamics.consistent_velocity(self, q, v)

    @property
    def symmetry_generators(self):
        none = jnp.zeros((2, 3))
        return {"body": lambda q: jnp.concatenate([none, jnp.eye(3)])}


class Body(da.System):
    """A free body."""

    space = da.SO(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ (jnp.array([1.0, 2.0, 4.0]) * v)


class Level(Plane):
    """A potential that is constant up to round-off, and one that is not, however small."""

    tilt: float = 0.0

    def lagrangian(self, q, v):
        level = 9.81 * (jnp.cos(q[0]) ** 2 + jnp.sin(q[0]) ** 2)
        return 0.5 * v @ v - level - self.tilt * q[0]


def test_finding_a10_a_symmetry_is_not_broken_by_round_off_over_round_off():
    ball, x = Ball(), Symmetry.from_fields(lambda q: jnp.eye(3)[:, :1], "x")
    assert geometry.invariance(ball, Symmetry.of(ball, "body")).holds
    assert geometry.invariance(Level(), x).holds
    assert geometry.invariance(Level(tilt=1e-9), x).potential > 1e-7


def test_finding_a10_momenta_on_a_group():
    # the spin of the ball about the vertical, whose generator turns in the body
    ball = Ball()
    found = geometry.momenta(ball, Symmetry.of(ball, "body"))
    assert (found.count, found.kept, found.frame) == (1, 1, "body")
    assert found.residual < 1e-13
    # a body of three different moments, where p is not along v
    space = Symmetry.from_fields(lambda q: q.T, "space")
    states = geometry.sample_states(Body(), jnp.eye(3))
    found = geometry.momenta(Body(), space, states)
    assert (found.count, found.kept, found.frame) == (3, 3, "space")
    assert found.residual < 1e-13


def test_finding_a10_a_constant_function_is_constant():
    one = lambda q, v: jnp.cos(q[0]) ** 2 + jnp.sin(q[0]) ** 2
    almost = lambda q, v: one(q, v) + 1e-9 * q[0]
    found = geometry.noether_tests(Level(), {"one": one, "almost": almost})
    assert found["one"].holds and not found["almost"].holds


def test_finding_a10_the_momentum_of_the_upright_disk_is_found_in_the_body_frame():
    class Disk(da.systems.VerticalRollingDisk):  # one symmetry, no reduction: less to compile
        chaplygin_split = None

        @property
        def symmetry_generators(self):
            return {"se2": super().symmetry_generators["se2"]}

    assert page(Disk())["momenta of se2"][0] == "1 of 1 constant (body frame)"
    # J theta', whatever the frame is called: the section is the turn about the point of contact
    found = geometry.momenta(Disk(), Symmetry.of(Disk(), "se2"))
    assert (found.count, found.kept, found.frame) == (1, 1, "body") and found.residual < 1e-12


def test_finding_a10_a_momentum_with_a_factor_is_tried():
    # x' sqrt(1 + y^2) of the particle: constant with a factor that depends on y
    particle = da.systems.NonholonomicParticle()
    found = geometry.momenta(particle, Symmetry.of(particle, "xz"))
    assert (found.count, found.kept, found.frame) == (1, 1, "shape")


def test_finding_a10_a_momentum_that_is_not_constant_is_not_found_so():
    board = da.systems.SnakeboardCoupled()
    found = geometry.momenta(board, Symmetry.of(board, "se2"))
    assert (found.count, found.kept) == (1, 0) and found.rate > 1e-2


def test_finding_a10_dependent_generators_are_refused():
    particle = da.systems.NonholonomicParticle()
    twice = Symmetry.from_fields(lambda q: jnp.eye(3)[:, jnp.array([2, 2])], "z, z")
    with pytest.raises(da.UsageError, match="linearly dependent"):
        geometry.symmetry_class(particle, twice)
    with pytest.raises(da.UsageError, match="linearly dependent"):
        geometry.momenta(particle, twice)


class Central(da.System):
    """A particle in a central field that may not move along z."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * q @ q

    def initial(self):
        return jnp.array([1.0, 0.2, 0.3]), jnp.array([0.1, 1.0, 0.2])

    @property
    def symmetry_generators(self):
        return {"rotations": lambda q: -jax.vmap(lambda e: jnp.cross(q, e), 0, 1)(jnp.eye(3))}


def test_finding_a10_an_action_that_is_not_free_says_so():
    found = geometry.symmetry_class(Central(), Symmetry.of(Central(), "rotations"))
    assert (found.kind, found.dim, found.orbit, found.free) == ("horizontal", 3, 2, False)
    verdict, evidence = page(Central())["rotations"]
    assert verdict == "horizontal" and "not free: orbits of dimension 2, 3 generators" in evidence
    assert page(Central())["momenta of rotations"][0] == "3 of 3 constant"


def test_finding_a10_a_symmetry_of_a_nonlinear_constraint_is_told():
    class Pair(da.systems.Benenti):
        @property
        def symmetry_generators(self):
            turn = lambda q: jnp.stack([-q[1], q[0], -q[3], q[2]])[:, None]
            return {"turn": turn, "wrong": lambda q: q[:, None]}

    found = page(Pair())
    assert found["turn"][0].startswith("invariant; class does not apply")
    assert found["wrong"][0] == "broken"


def test_finding_a10_a_kinematic_group_gets_a_hint_and_a_user_the_energy():
    class Own(Plane):
        @property
        def chaplygin_split(self):
            return None

        @property
        def symmetry_generators(self):
            return {"z": lambda q: jnp.eye(3)[:, 2:]}

    found = page(Own())
    assert found["z"][0] == "purely kinematic"
    assert found["Chaplygin"][0] == "none declared" and "'z'" in found["Chaplygin"][1]
    assert found["energy"][0] == "yes"
    assert page(Damped(drag=0.3))["energy"][0] == "no"


def test_finding_a10_a_force_that_is_zero_at_the_start_is_seen():
    class Pushed(Damped):
        def force(self, t, q, v):
            return jnp.sin(t) * jnp.array([1.0, 0.0, 0.0])

        @property
        def symmetry_generators(self):
            return {"y": lambda q: jnp.eye(3)[:, 1:2], "xz": lambda q: jnp.eye(3)[:, ::2]}

    found = page(Pushed())
    assert found["energy"][0] == "no"
    assert found["momenta of xz"][0].startswith("inconclusive: 0 of 1")


def test_finding_a10_the_command_line_searches_on(tmp_path, capsys):
    file = tmp_path / "flat.py"
    file.write_text(
        "import jax.numpy as jnp\nimport dalembert as da\n"
        "class Flat(da.System):\n"
        "    space = da.Euclidean(3)\n"
        "    def lagrangian(self, q, v):\n        return 0.5 * v @ v\n"
        "    def constraint(self, q):\n        return jnp.array([[-(q[1] ** 2), 0.0, 1.0]])\n"
    )
    for degree, wanted in (("2", "inconclusive"), ("3", "(2, 2, 3)")):
        args = ["analyze", f"{file}:Flat", "--q0", "0,0,0", "--degree", degree, "--json"]
        assert main(args) == 0
        rows = json.loads(capsys.readouterr().out.splitlines()[-1])["findings"]
        verdict = next(f["verdict"] for f in rows if f["quantity"] == "growth vector")
        assert verdict.startswith(wanted)
    assert main(["analyze", f"{file}:Flat", "--q0", "0,0,0", "--degree", "0"]) == 2
