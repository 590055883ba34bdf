"""Runs with friction against closed forms and against SciPy, for explicit and implicit methods."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert.hybrid.zoo import registry

G = 9.81


def belt_times(count):
    """Times of the first changes of the stick-slip belt of the zoo, in closed form."""
    k, V, N, mu, mu_static = 20.0, 0.5, 10.0, 0.3, 0.5
    w, A = np.sqrt(k), (mu_static - mu) * N / k
    slides, holds = 2.0 * (np.pi - np.arctan(A * w / V)) / w, 2.0 * A / V
    spans = [mu_static * N / k / V, *([slides, holds] * count)]
    return np.cumsum(spans)[:count]


@pytest.mark.parametrize(
    "method, order",
    [(da.RK4(), 4), (da.Gauss(stages=2), 4), (da.DLA(), 2)],
    ids=["RK4", "Gauss", "DLA"],
)
def test_every_change_of_a_belt_has_the_order_of_the_method(method, order):
    modes, off = registry["stick-slip-belt"](), []
    for h in (0.02, 0.01):
        t = np.asarray(da.simulate(modes, method, h=h, t=9.0).jumps.t)
        off.append(np.max(np.abs(t - belt_times(len(t)))))
    assert len(t) == 12
    assert abs(np.log2(off[0] / off[1]) - order) < 0.15
    # the error of a slide of 0.5 s is 2e-4 by DLA and 4e-8 by RK4; six of them add up
    assert off[1] < (1.5e-3 if order == 2 else 3e-7)


def scooter_by_hand(speed=5.0, brake=20.0, wet=0.05):
    """Times at which the scooter's rear wheel slips and holds again, by SciPy; and its end, x(1.5).

    Front wheel rolls: F_f = -J a/r^2. Rear: J w' = -brake - r F_r. M a = F_f + F_r. The loads
    balance the weight and the moments about the ground below the front of the frame.
    """
    r, M, x_f, x_r = 0.1, 94.0, 0.55, -0.35
    J, lever = 0.5 * 2.0 * r * r, 90.0 * 1.0 + 4.0 * r  # sum of m z
    weights = 2.0 * (x_f + x_r)  # sum of m x

    def mu(x):
        return 0.8 + (wet - 0.8) * 0.5 * (np.tanh(50.0 * (x - 2.0)) - np.tanh(50.0 * (x - 4.0)))

    def torque(w):
        return -brake * w / np.sqrt(w * w + 25.0)

    def load(a, turn):  # of the rear wheel
        # lever a + J (a/r + turn) = -x_f N_f - x_r N_r + g weights,  N_f + N_r = M g
        return (lever * a + J * (a / r + turn) - G * weights + x_f * M * G) / (x_f - x_r)

    def holding(t, y):
        a = torque(y[2]) / r / (M + 2.0 * J / r**2)
        return [y[1], a, a / r]

    def cone(t, y):
        _, a, turn = holding(t, y)
        pull = M * a + J * a / r**2
        return mu(y[0] + x_r) * load(a, turn) - abs(pull)

    def sliding(t, y):
        # F = mu N forward or back, against the slip v - r w > 0: back. All is linear in (a, turn).
        m = mu(y[0] + x_r)
        A = np.zeros((2, 2))
        b = np.zeros(2)
        lo = load(0.0, 0.0)
        A[0] = M + J / r**2 + m * (load(1.0, 0.0) - lo), m * (load(0.0, 1.0) - lo)
        b[0] = -m * lo
        A[1] = -r * m * (load(1.0, 0.0) - lo), J - r * m * (load(0.0, 1.0) - lo)
        b[1] = torque(y[2]) + r * m * lo
        a, turn = np.linalg.solve(A, b)
        return [y[1], a, turn]

    def slip(t, y):
        return y[1] - r * y[2]

    cone.terminal, slip.terminal, slip.direction = True, True, -1
    how = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12, "max_step": 1e-3}
    first = solve_ivp(holding, (0.0, 1.5), [0.0, speed, speed / r], events=cone, **how)
    y = first.y[:, -1]
    begins = first.t[-1]
    second = solve_ivp(sliding, (begins, 1.5), y, events=slip, **how)
    last = solve_ivp(holding, (second.t[-1], 1.5), second.y[:, -1], **how)
    return begins, second.t[-1], last.y[:, -1]


@pytest.mark.parametrize("method", [da.RK4(), da.Gauss(stages=2)], ids=["RK4", "Gauss"])
def test_a_scooter_agrees_with_scipy_to_the_order_of_the_method(method):
    begins, ends, last = scooter_by_hand()
    off = []
    for h in (0.0025, 0.00125):
        found = da.simulate(registry["scooter"](), method, h=h, t=1.5)
        np.testing.assert_allclose(found.jumps.t[0], begins, atol=1e-9)
        off.append([found.jumps.t[1] - ends, found.q[-1][0] - last[0], found.v[-1][0] - last[1]])
    off = np.max(np.abs(off), axis=1)
    assert off[1] < 2e-7 and np.log2(off[0] / off[1]) > 3.5
