"""Independent equations of bodies that slide, by SciPy, to where the slip vanishes.

A slip of two rows has the rate u' = f - k u/|u|: its direction turns faster and faster as it
vanishes. In the time s with dt = |u| ds everything is smooth, and |u| falls like exp(-s).
"""

import numpy as np
from scipy.integrate import solve_ivp


def slides_until_it_holds(slip, rates, y, t=0.0, least=1e-13, t_end=None):
    """Return (t, y) where slip(t, y) vanishes; rates(t, y, d) are those for the direction d."""

    def regular(s, z):
        u = slip(z[0], z[1:])
        size = np.linalg.norm(u)
        return size * np.concatenate([[1.0], rates(z[0], z[1:], u / size)])

    def gone(s, z):
        return np.linalg.norm(slip(z[0], z[1:])) - least

    def late(s, z):
        return z[0] - (np.inf if t_end is None else t_end)

    gone.terminal, late.terminal = True, True
    how = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13, "events": (gone, late)}
    found = solve_ivp(regular, (0.0, 1e4), np.concatenate([[t], y]), **how)
    return found.y[0, -1], found.y[1:, -1]
