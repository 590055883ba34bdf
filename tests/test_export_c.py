"""Exported C: the same numbers as native code, its structs, its codes, and what is refused.

The whole comparison, 20 systems and four methods, is `python -m tests.exports`.
"""

from __future__ import annotations

import subprocess

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from c_library import Library, compiled, compiler, numbers
from compiled import jit
from dalembert import control, dynamics, export
from dalembert.compile.rolled import SizeLimit
from dalembert.errors import UsageError
from dalembert.export.identifiers import Renamed, identifier
from dalembert.parts import table

pytestmark = pytest.mark.skipif(compiler is None, reason="no compiler of C on this machine")


class Cart(da.System):
    """A cart with a knife edge, two inputs, an array of parameters, and names that C has not."""

    m: float = da.parameter(1.5, "kg", "mass", positive=True)
    inertia: jax.Array = da.parameter((0.3, 0.2), "kg m^2", "of the body, of the flywheel")
    g: float = da.parameter(2.0, "m/s^2", "pull towards the origin")

    space = da.Euclidean(4)
    coordinate_names = ("x", "y", "heading of cart", "wheel.angle")
    velocity_names = ("x_dot", "y_dot", "heading_dot", "wheel_dot")
    input_names = ("push", "motor 1")

    def lagrangian(self, q, v):
        body = 0.5 * self.m * (v[0] ** 2 + v[1] ** 2) + 0.5 * self.inertia[0] * v[2] ** 2
        wheel = 0.5 * self.inertia[1] * (v[2] + v[3]) ** 2
        return body + wheel - self.m * self.g * jnp.log(1.0 + q[0] ** 2 + q[1] ** 2)

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0, 0.0]])

    def inputs(self, q):
        return jnp.array([[jnp.cos(q[2]), jnp.sin(q[2]), 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])

    def initial(self):
        return jnp.array([0.3, -0.2, 0.5, 0.0]), jnp.array([jnp.cos(0.5), jnp.sin(0.5), 0.4, 1.0])


@pytest.fixture(scope="module")
def cart(tmp_path_factory):
    """The cart by RK4: (system, library, folder)."""
    folder = tmp_path_factory.mktemp("c")
    files = export.c(Cart(), da.RK4(), folder / "cart.c", jacobians=True)
    assert files.prefix == "cart" and files.operations["steps"] > 100
    return Cart(), Library(files, "-O1"), files


def test_a_step_with_inputs_is_that_of_the_stepper(cart):
    system, library, _ = cart
    stepper, u = da.Stepper(system, da.RK4(), h=0.02), np.array([0.7, -0.4])
    stepper.reset(t=1.0)
    result, state = library.start(*system.initial(), h=0.02, t=1.0, u=u)
    assert result == 0
    for k in (1, 1, 48):
        stepper.step(u, steps=k)
        assert library.steps(state, k, h=0.02, u=u) == 0
        mine = np.append(stepper.state.q, stepper.state.v)
        assert np.max(np.abs(numbers(state) - mine)) < 2e-14
        assert state.t == stepper.state.t and state.k == stepper.state.steps
        assert np.allclose(state.multiplier[:], stepper.state.multiplier, rtol=1e-12)
    # without inputs none acts
    _, other = library.start(*system.initial(), h=0.02)
    library.steps(other, 50, h=0.02)
    assert np.max(np.abs(numbers(other) - numbers(state))) > 0.1


class Ball(da.System):
    """A ball on a spring."""

    k: float = da.parameter(4.0, "N/m", "stiffness")
    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2 - 0.5 * self.k * q[0] ** 2


def test_a_changed_step_goes_on_from_the_present_time(cart, tmp_path):
    system, library, _ = cart
    _, state = library.start(*system.initial(), h=0.1, t=1.0)
    for n, h in ((3, 0.1), (2, 0.05), (1, 0.05), (1, 0.1)):
        assert library.steps(state, n, h=h) == 0
    assert abs(state.t - 1.55) < 1e-14 and state.k == 1
    before = state.t0
    library.parameters.g = np.nan
    try:
        assert library.steps(state, 1, h=0.3) == 2
    finally:
        library.parameters.g = 2.0
    assert (state.t0, state.k, state.h) == (before, 1, 0.1)  # as it was
    # the momentum that GNI carries belongs to its step
    carrying = Library(export.c(Ball(), da.GNI(), tmp_path / "o.c"))
    _, state = carrying.start([1.0], [0.0], h=0.1)
    assert carrying.steps(state, 2, h=0.1) == 0
    before = numbers(state)
    assert carrying.steps(state, 1, h=0.05) == 7 and np.array_equal(numbers(state), before)
    assert carrying.steps(state, 1, h=0.1) == 0


class Saturated(Ball):
    """Forces that are integers of 32 bits."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def force(self, t, q, v):
        signed, unsigned = (self.k * q).astype(jnp.int32), (self.k * q).astype(jnp.uint32)
        return jnp.array([signed[0], unsigned[1], unsigned[2]]).astype(float)


def test_numbers_that_fit_no_integer_become_the_nearest(tmp_path):
    library = Library(export.c(Saturated(), da.RK4(), tmp_path / "s.c", h=0.1))
    v, top = np.zeros(3), 2.0**31
    for q, expected in (
        ((-1e10, 1e10, -3.0), (-top, 2 * top - 1, 0.0)),
        ((1e10, 2.1, 1e300), (top - 1, 8.0, 2 * top - 1)),
        ((np.nan, np.nan, 0.3), (0.0, 0.0, 1.0)),
    ):
        assert np.array_equal(library.dynamics(q, v)[1], expected)


def test_parameters_are_arguments(cart):
    system, library, _ = cart
    assert library.parameters.m == 1.5 and list(library.parameters.inertia) == [0.3, 0.2]
    library.parameters.m, library.parameters.inertia[1] = 2.5, 0.7
    try:
        changed = Cart(m=2.5, inertia=(0.3, 0.7))
        q, v = system.initial()
        found = library.dynamics(q, v, u=(0.1, 0.2))
        solved = jit(dynamics.solved)(control.driven(changed, (0.1, 0.2)), q, v, 0.0)
        assert np.allclose(found[0], v, rtol=0, atol=0)
        assert np.allclose(found[1], solved.acceleration, rtol=1e-13)
        assert np.allclose(found[2], solved.multipliers, rtol=1e-13)
        assert np.isclose(found[3][0], dynamics.energy(changed, q, v), rtol=1e-13)
    finally:
        library.parameters.m, library.parameters.inertia[1] = 1.5, 0.2


def test_jacobians_are_derivatives_of_the_acceleration(cart):
    system, library, _ = cart
    q, v = system.initial()
    at = [np.asarray(q), np.asarray(v), np.array([0.3, -0.2])]
    for i, slopes in enumerate(library.jacobian(*at[:2], u=at[2])):
        for j in range(slopes.shape[1]):
            sides = []
            for d in (1e-5, -1e-5):
                moved = [x.copy() for x in at]
                moved[i][j] += d
                sides.append(library.dynamics(*moved[:2], u=moved[2])[1])
            assert np.allclose(slopes[:, j], (sides[0] - sides[1]) / 2e-5, rtol=1e-7, atol=1e-8)


def test_what_is_wrong_is_a_code_and_leaves_the_state(cart):
    system, library, _ = cart
    q, v = system.initial()
    off = np.asarray(v) + np.array([0.0, 0.1, 0.0, 0.0])
    result, state = library.start(q, off, h=0.02)
    assert result == 3  # inconsistent; the state is that of the nearest velocity
    A = np.asarray(system.constraint(q))
    assert np.max(np.abs(A @ np.array(state.v[:]))) < 1e-15
    before = numbers(state)
    assert library.steps(state, 0, h=0.02) == 0 and library.steps(state, -3, h=0.02) == 0
    library.parameters.g = np.nan
    try:
        assert library.steps(state, 5, h=0.02) == 2
    finally:
        library.parameters.g = 2.0
    assert np.array_equal(numbers(state), before) and state.k == 0


def test_names_that_c_has_not_are_written_otherwise(cart):
    _, _, files = cart
    header = files.header.read_text()
    assert "cart_q_heading_of_cart = 2  /* heading of cart */" in header.replace("2,  ", "2  ")
    assert "cart_real motor_1;  /* motor 1 */" in header
    assert "cart_real inertia[2];  /* of the body, of the flywheel, kg m^2 */" in header


def test_implicit_steps_and_floats(tmp_path):
    sleigh, h = da.systems.ChaplyginSleigh(), 0.02
    exact = da.simulate(sleigh, da.Gauss(), h=h, steps=100).final
    for single, allowed in ((False, 1e-13), (True, 2e-5)):
        place = tmp_path / f"sleigh_{single}.c"
        files = export.c(sleigh, da.Gauss(), place, h=h, single=single)
        library = Library(files, "-O1", *(["-Wdouble-promotion"] if single else []))
        result, state = library.start(*sleigh.initial())
        assert result == 0 and library.steps(state, 100) == 0
        assert np.max(np.abs(numbers(state) - np.append(exact.q, exact.v))) < allowed
        assert 0 < state.residual < (1e-5 if single else 1e-12)


@pytest.mark.parametrize("method", [da.RK4(), da.Gauss()], ids=["rk4", "gauss"])
def test_a_snake_of_ten_links_has_loops_over_arrays(method, tmp_path):
    snake, h = da.systems.WheeledSnake(n=10), 0.002
    files = export.c(snake, method, tmp_path / "snake.c", h=h)
    text = files.source.read_text()
    assert "wheeled_snake_factor(" in text and "wheeled_snake_solve_spd(" in text
    library = Library(files, "-O1")
    q, v = snake.initial()
    result, state = library.start(q, v, h)
    assert result == 0 and library.steps(state, 50, h) == 0
    final = da.simulate(snake, method, h=h, steps=50, u=da.control.Constant(np.zeros(9))).final
    assert np.max(np.abs(numbers(state) - np.append(final.q, final.v))) < 1e-12


def test_a_table_of_bodies_is_loops_over_arrays(tmp_path, monkeypatch):
    snake, h = da.systems.WheeledSnake(n=24), 0.002
    final = da.simulate(snake, da.RK4(), h=h, steps=20, u=da.control.Constant(np.zeros(23))).final
    monkeypatch.setattr(table, "MANY", SizeLimit(0, 0))
    files = export.c(snake, da.RK4(), tmp_path / "snake.c", h=h)
    text = files.source.read_text()
    assert "wheeled_snake_products(" in text
    assert "wheeled_snake_cross(" in text
    library = Library(files, "-O1")
    result, state = library.start(*snake.initial(), h)
    assert result == 0
    assert library.steps(state, 20, h) == 0
    assert np.max(np.abs(numbers(state) - np.append(final.q, final.v))) < 1e-12


def test_a_main_prints_the_trajectory(tmp_path):
    sleigh = da.systems.ChaplyginSleigh()
    files = export.c(sleigh, da.RK4(), tmp_path / "run.c", h=0.05, main=20, name="sl")
    program = compiled(files.source, "-O1", "-DSL_MAIN", "-fsanitize=address,undefined", to="")
    said = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    head, *rows = said.splitlines()
    assert head == "t,x,y,theta,x_dot,y_dot,theta_dot,multiplier_0"
    table = np.array([[float(x) for x in row.split(",")] for row in rows])
    traj = da.simulate(sleigh, da.RK4(), h=0.05, steps=20)
    mine = np.column_stack([traj.t, traj.q, traj.v, traj.multiplier])
    assert table.shape == mine.shape and np.max(np.abs(table - mine)) < 1e-13


def test_a_table_lies_in_the_code(tmp_path):
    times = np.linspace(0.0, 1.0, 90)
    u = np.column_stack([np.sin(5 * times), np.cos(3 * times)])
    system = control.driven(Cart(), control.Table(times, u))
    files = export.c(system, da.RK4(), tmp_path / "table.c", h=0.01, name="table")
    assert "table_table_0[90]" in files.source.read_text()
    library = Library(files, "-O1")
    result, state = library.start(*system.initial())
    assert result == 0 and library.steps(state, 100) == 0
    last = da.simulate(system, da.RK4(), h=0.01, steps=100).final
    assert np.max(np.abs(numbers(state) - np.append(last.q, last.v))) < 1e-13


class Greek(Cart):
    coordinate_names = ("x", "y", "θ", "psi")


class Hostile(Cart):
    coordinate_names = ("x", "y", "a */ int b", "psi")
    input_names = ("push */", "motor")


def test_a_name_does_not_end_a_comment(tmp_path):
    names = {"a */ int b": "a", "push */": "push"}
    files = export.c(Hostile(), da.RK4(), tmp_path / "h.c", names=names)
    assert "*/ int" not in files.header.read_text() + files.source.read_text()
    compiled(files.source)


class Alike(Ball):
    """An entry of an array and a number that would have one name."""

    k: jax.Array = da.parameter((2.0, 3.0), "1", "an array")
    k_0: float = da.parameter(5.0, "1", "a /* number")

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2 - 0.5 * (self.k[0] + self.k_0) * q[0] ** 2


def test_an_entry_is_not_a_number_of_a_like_name(tmp_path):
    library = Library(export.c(Alike(), da.RK4(), tmp_path / "a.c"))
    assert library.dynamics([1.0], [0.0])[1] == [-7.0]


class Keyword(Cart):
    input_names = ("push", "double")


class Twice(Cart):
    coordinate_names = ("x", "y", "a b", "a.b")


@pytest.mark.parametrize(
    ("system", "options", "words"),
    [
        (Greek(), {}, "coordinate 'θ' is no identifier of C"),
        (Keyword(), {}, "input 'double' is a word of C"),
        (Twice(), {}, "coordinates 'a b' and 'a.b' are both written a_b"),
        (Cart(), {"name": "2nd cart"}, "name of the system '2nd cart' is no identifier"),
        (Cart(), {"names": {"x": "1x"}}, "coordinate 'x' is no identifier of C ('1x')"),
        (Cart(), {"main": 10}, "give h as well"),
        (Cart(), {"h": -1.0}, "h must be"),
        (
            Cart(),
            {"h": 0.1, "main": 9, "q0": np.zeros(4), "v0": np.array([0.0, 1.0, 0.0, 0.0])},
            "v0 is not on the constraint",
        ),
        (Cart(), {"path": "/nowhere/at/all.c"}, "does not exist"),
        (Cart(), {"path": "cart.cpp"}, "unknown suffix"),
        (Cart(), {"method": da.Taylor()}, "taylor chooses the sizes of its steps"),
        (
            Cart(),
            {"method": da.Reversible(da.Gauss(), lambda t, q, v: 1.0)},
            "chooses the sizes of its steps",
        ),
    ],
)
def test_what_cannot_be_written_is_named(system, options, words, tmp_path):
    given = {"method": da.RK4(), "path": tmp_path / "x.c"} | options
    with pytest.raises(UsageError) as told:
        export.c(system, **given)
    assert words in str(told.value)
    assert not list(tmp_path.iterdir())


class ByArrays(Cart):
    def lagrangian(self, q, v):
        return super().lagrangian(q, v) + 0.0 * jnp.linalg.eigh(jnp.outer(q, q))[0][0]


def test_a_system_that_runs_by_arrays_only_is_refused(tmp_path):
    with pytest.raises(UsageError, match="because it has no scalar code: the primitive 'eigh'"):
        export.c(ByArrays(), da.RK4(), tmp_path / "x.c")


def test_a_greek_name_is_given_another(tmp_path):
    files = export.c(Greek(), da.RK4(), tmp_path / "g.c", names={"θ": "theta"})
    assert "greek_q_theta = 2,  /* θ */" in files.header.read_text()


def test_a_coordinate_does_not_hide_a_result_code(tmp_path):
    """Local variables of a class Q were q_x, and `q_inconsistent` was the coordinate."""

    class Q(Cart):
        coordinate_names = ("inconsistent", "dot", "max", "start")

    files = export.c(Q(), da.RK4(), tmp_path / "q.c", h=0.02)
    library = Library(files, "-O1")
    q, v = Q().initial()
    assert library.start(q, v)[0] == 0
    assert library.start(q, np.asarray(v) + [0.5, 0.0, 0.0, 0.0])[0] == 3


def test_keys_of_names_must_be_labels(tmp_path):
    with pytest.raises(UsageError, match="unknown label in names= 'heading'; did you mean"):
        export.c(Cart(), da.RK4(), tmp_path / "x.c", names={"heading": "phi"})
    with pytest.raises(UsageError, match="names has texts"):
        export.c(Cart(), da.RK4(), tmp_path / "x.c", names={"x": 3})
    with pytest.raises(UsageError, match="names is a table"):
        export.c(Cart(), da.RK4(), tmp_path / "x.c", names=["x"])


class Tabled(Ball):
    """A potential from a table."""

    def lagrangian(self, q, v):
        x = jnp.array([-2.0, -1.0, 0.0, 1.0, 2.0])
        return 0.5 * v[0] ** 2 - jnp.interp(q[0], x, x**2)


def test_a_table_by_interp(tmp_path):
    library = Library(export.c(Tabled(), da.RK4(), tmp_path / "t.c", h=0.01), "-O1")
    stepper = da.Stepper(Tabled(), da.RK4(), h=0.01)
    stepper.reset([1.5], [0.0])
    stepper.step(steps=80)
    _, state = library.start([1.5], [0.0])
    assert library.steps(state, 80) == 0
    assert np.max(np.abs(numbers(state) - np.append(stepper.state.q, stepper.state.v))) < 1e-13
    assert abs(library.dynamics([1.5], [0.0])[1][0] + 3.0) < 1e-14  # the slope from 1 to 2


def test_a_body_has_the_inertia_of_its_shape(tmp_path):
    """The sizes of shapes have no names; in C, formulas and Python they were 0, in silence."""
    from dalembert import parts, scene

    pendulum = parts.build(
        parts.Body("bob", 2.0, shape=scene.sphere(0.5), center=(0, 0, -0.3)),
        parts.Revolute("bob", axis="y", start=0.4),
        parts.Gravity(9.81),
    )
    library = Library(export.c(pendulum, da.RK4(), tmp_path / "p.c", h=0.01), "-O1")
    wanted = -2.0 * 9.81 * 0.3 * np.sin(0.4) / (0.4 * 2.0 * 0.25 + 2.0 * 0.09)
    assert abs(library.dynamics([0.4], [0.0])[1][0] - wanted) < 1e-13
    space: dict = {}
    exec(da.formulas(pendulum).python(), space)
    assert abs(space["acceleration"](0.0, [0.4], [0.0])[0][0] - wanted) < 1e-13
    pytest.importorskip("sympy")
    found = da.formulas(pendulum)
    mass = found.metric.sympy()[0].subs(dict.fromkeys(found.symbols.parameters.values(), 2.0))
    assert found.metric.sympy()[0].free_symbols and mass.is_number


def test_a_multiplier_has_one_name_in_every_file(tmp_path):
    from dalembert.names import multiplier_names

    system = da.systems.ChaplyginSleigh()
    traj = da.simulate(system, da.RK4(), h=0.01, steps=3)
    wanted = multiplier_names(system.constraint_labels, 1)[0]
    traj.save(tmp_path / "a.csv")
    export.csv(traj, tmp_path / "b.csv")
    heads = [(tmp_path / f).read_text().splitlines()[0].split(",") for f in ("a.csv", "b.csv")]
    assert wanted in heads[0] and any(x.split(" [")[0] == wanted for x in heads[1])
    files = export.c(system, da.RK4(), tmp_path / "s.c", h=0.01, main=1)
    assert f"_{wanted} = 0" in files.header.read_text()
    assert f",{wanted}\\n" in files.source.read_text()
    assert wanted in export.fmu(system, da.RK4(), tmp_path / "s.fmu", compiler=None).variables


def test_a_folder_in_the_place_of_the_header_stays(tmp_path):
    (tmp_path / "x.h").mkdir()
    with pytest.raises(da.UsageError, match="it is a folder"):
        da.export.c(da.systems.KnifeEdge(), da.RK4(), tmp_path / "x.c", h=0.1)
    assert (tmp_path / "x.h").is_dir()


def test_parameters_beyond_floats_are_refused(tmp_path):
    with pytest.raises(da.UsageError, match="outside the range of floats"):
        da.export.c(da.systems.KnifeEdge(m=1e-40), da.RK4(), tmp_path / "x.c", h=0.1, single=True)


@pytest.mark.parametrize("name", ["HUGE_VAL", "nullptr", "FP_NAN", "INT64_MAX"])
def test_macros_and_words_of_headers_are_refused(name):
    with pytest.raises(da.UsageError, match="is a word of C"):
        identifier(name, "parameter", Renamed(None))


@pytest.mark.parametrize("v0", [[1.0, 2.0], [float("nan")] * 3, ["a", 0.0, 0.0]])
def test_a_start_that_is_none(v0, tmp_path):
    with pytest.raises(da.UsageError, match="v0 must be 3"):
        da.export.fmu(
            da.systems.KnifeEdge(), da.RK4(), tmp_path / "x.fmu", h=0.1, q0=[0.0] * 3, v0=v0,
            compiler=None,
        )  # fmt: skip


def test_a_name_that_no_disk_takes(tmp_path):
    with pytest.raises(da.UsageError, match="not a valid file name"):
        da.export.c(da.systems.KnifeEdge(), da.RK4(), tmp_path / ("x" * 300 + ".c"), h=0.1)
