"""The chaotic system (5.5) [MP] over t = 0..500 by other codes, as accurate as they are asked.

Each peer is a function of a tolerance that returns (seconds, largest energy error). They solve the
index-reduced equations q' = v, v' = a(q, v) with the multiplier eliminated; IDA and IDAS get the
same equations as a residual. One that is not installed is left out, and said so.
"""

import importlib.util
import time

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da

SYSTEM = da.systems.ChaoticQuartic()
END = 500.0
Q0, V0 = SYSTEM.initial()
N = SYSTEM.dim
ENERGY = jax.jit(jax.vmap(SYSTEM.invariants["energy"]))
E0 = float(SYSTEM.invariants["energy"](Q0, V0))
TIMES = np.linspace(0.0, END, 2001)


def field(t, x, _=None):
    """By hand, so that no peer pays for general code: M = 1, one constraint."""
    q, v = x[:N], x[N:]
    n = SYSTEM.n
    y, z = q[1 : n + 1], q[n + 1 :]
    coupled = jnp.concatenate([jnp.array([z[1] ** 2, z[0] ** 2]), jnp.zeros(n - 2)])
    pull = -jnp.concatenate([q[:1], y * (1 + z**2), z * (1 + y**2 + coupled)])
    mu = jnp.concatenate([jnp.ones(1), jnp.zeros(n), y])
    lam = -(mu @ pull + v[1 : n + 1] @ v[n + 1 :]) / (mu @ mu)
    return jnp.concatenate([v, pull + lam * mu])


def field_numpy(t, x):
    q, v = x[:N], x[N:]
    n = SYSTEM.n
    y, z = q[1 : n + 1], q[n + 1 :]
    coupled = np.zeros(n)
    coupled[0], coupled[1] = z[1] ** 2, z[0] ** 2
    pull = -np.concatenate([q[:1], y * (1 + z**2), z * (1 + y**2 + coupled)])
    mu = np.concatenate([[1.0], np.zeros(n), y])
    lam = -(mu @ pull + v[1 : n + 1] @ v[n + 1 :]) / (mu @ mu)
    return np.concatenate([v, pull + lam * mu])


X0 = np.concatenate([Q0, V0])


def energy_error(x) -> float:
    x = jnp.asarray(x)
    return float(jnp.max(jnp.abs(ENERGY(x[:, :N], x[:, N:]) - E0)))


def ours(method, h: float) -> tuple[float, float]:
    steps = round(END / h)
    every = max(steps // 2000, 1)
    run = lambda k: da.simulate(SYSTEM, method, h=h, steps=steps, save_every=k)
    seconds = min(run(steps).meta.wall_s for _ in range(3))
    found = run(every)
    return seconds, energy_error(jnp.concatenate([found.q, found.v], axis=1))


def ours_by_taylor(tolerance: float) -> tuple[float, float]:
    method = da.Taylor(tolerance)
    seconds = min(da.simulate(SYSTEM, method, t=END, save=da.Final()).meta.wall_s for _ in range(3))
    found = da.simulate(SYSTEM, method, t=END, save=da.At(TIMES))
    return seconds, energy_error(jnp.concatenate([found.q, found.v], axis=1))


def heyoka():
    import heyoka as hy
    from taylor import heyoka_equations

    def run(tolerance: float) -> tuple[float, float]:
        solver = hy.taylor_adaptive(heyoka_equations("chaotic-quartic"), X0, tol=tolerance)
        seconds = []
        for _ in range(3):
            solver.time, solver.state[:] = 0.0, X0
            begin = time.perf_counter()
            solver.propagate_until(END)
            seconds.append(time.perf_counter() - begin)
        solver.time, solver.state[:] = 0.0, X0
        return min(seconds), energy_error(solver.propagate_grid(TIMES)[-1])

    return run


def diffrax_solver(name: str):
    import diffrax

    solver = getattr(diffrax, name)()

    @jax.jit
    def solve(x, rtol, ts):
        return diffrax.diffeqsolve(
            diffrax.ODETerm(field),
            solver,
            0.0,
            END,
            1e-2,
            x,
            saveat=diffrax.SaveAt(ts=ts),
            stepsize_controller=diffrax.PIDController(rtol=rtol, atol=rtol),
            max_steps=10_000_000,
        ).ys

    few, many = jnp.array([END]), jnp.asarray(TIMES)

    def run(tolerance: float) -> tuple[float, float]:
        x, rtol = jnp.asarray(X0), jnp.asarray(tolerance)
        jax.block_until_ready(solve(x, rtol, few))
        seconds = []
        for _ in range(2):
            begin = time.perf_counter()
            jax.block_until_ready(solve(x, rtol, few))
            seconds.append(time.perf_counter() - begin)
        return min(seconds), energy_error(solve(x, rtol, many))

    return run


def scipy_solver(name: str):
    from scipy.integrate import solve_ivp

    def run(tolerance: float) -> tuple[float, float]:
        begin = time.perf_counter()
        found = solve_ivp(
            field_numpy, (0, END), X0, name, t_eval=TIMES, rtol=tolerance, atol=tolerance
        )
        return time.perf_counter() - begin, energy_error(found.y.T)

    return run


def ida():
    import sksundae

    def residual(t, x, xp, res):
        res[:] = xp - field_numpy(t, x)

    def run(tolerance: float) -> tuple[float, float]:
        solver = sksundae.ida.IDA(residual, rtol=tolerance, atol=tolerance, max_num_steps=10**7)
        begin = time.perf_counter()
        found = solver.solve(TIMES, X0, field_numpy(0.0, X0))
        return time.perf_counter() - begin, energy_error(found.y)

    return run


def idas():
    import casadi

    x = casadi.SX.sym("x", 2 * N)
    n = SYSTEM.n
    q, v = x[:N], x[N:]
    y, z = q[1 : n + 1], q[n + 1 :]
    coupled = casadi.vertcat(z[1] ** 2, z[0] ** 2, *([0] * (n - 2)))
    pull = -casadi.vertcat(q[0], y * (1 + z**2), z * (1 + y**2 + coupled))
    mu = casadi.vertcat(1, casadi.SX.zeros(n), y)
    lam = -(casadi.dot(mu, pull) + casadi.dot(v[1 : n + 1], v[n + 1 :])) / casadi.dot(mu, mu)
    rhs = casadi.vertcat(v, pull + lam * mu)

    def run(tolerance: float) -> tuple[float, float]:
        options = {"reltol": tolerance, "abstol": tolerance, "max_num_steps": 10**7}
        solver = casadi.integrator(
            "idas", "idas", {"x": x, "ode": rhs}, 0.0, list(TIMES[1:]), options
        )
        begin = time.perf_counter()
        found = np.asarray(solver(x0=X0)["xf"]).T
        return time.perf_counter() - begin, energy_error(found)

    return run


PEERS = {
    "heyoka (Taylor)": ("heyoka", heyoka),
    "diffrax Tsit5": ("diffrax", lambda: diffrax_solver("Tsit5")),
    "diffrax Dopri8": ("diffrax", lambda: diffrax_solver("Dopri8")),
    "SciPy DOP853": ("scipy", lambda: scipy_solver("DOP853")),
    "SciPy LSODA": ("scipy", lambda: scipy_solver("LSODA")),
    "SUNDIALS IDA (scikit-sundae)": ("sksundae", ida),
    "CasADi IDAS": ("casadi", idas),
}
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
STEPS = (0.2, 0.1, 0.05, 0.025)


def curves() -> dict[str, list[tuple[float, float]]]:
    """(seconds per unit of time, largest energy error) of every code, by name."""
    found = {}
    for name, method in (
        ("leapfrog (4.18)", da.Leapfrog()),
        ("gni-trapezoidal", da.GNI(da.Trapezoidal())),
        ("rk4", da.RK4()),
    ):
        found[f"dalembert {name}"] = [ours(method, h) for h in STEPS]
    found["dalembert taylor"] = [ours_by_taylor(x) for x in TOLERANCES]
    for name, (package, make) in PEERS.items():
        if importlib.util.find_spec(package) is None:
            print(f"  {name}: left out, {package} is not installed (make bench installs it)")
            continue
        run, rows = make(), []
        for tolerance in TOLERANCES:
            try:
                rows.append(run(tolerance))
            except Exception as error:
                print(f"  {name} at {tolerance:g}: {type(error).__name__}: {error}")
        found[name] = rows
    return {k: [(s / END, e) for s, e in rows] for k, rows in found.items()}


def seconds_at(rows: list[tuple[float, float]], error: float) -> float:
    """Time of a curve at an error, between its points; NaN where it never is as accurate."""
    good = [(e, s) for s, e in rows if np.isfinite(e)]
    if not good or min(good)[0] > error:
        return float("nan")
    e, s = map(np.log, np.array(sorted(good)).T)
    return float(np.exp(np.interp(np.log(error), e, s)))
