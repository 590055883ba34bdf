"""A shopping cart on four casters, pushed beside its middle: it turns away, and the casters follow.

python examples/shopping_cart.py          opens it in the browser
"""

import numpy as np

import dalembert as da
from dalembert import parts

CORNERS = {"fl": (0.4, 0.2), "fr": (0.4, -0.2), "rl": (-0.4, 0.2), "rr": (-0.4, -0.2)}


def cart():
    """Return a cart of 20 kg on four casters; its input is a push at the left end of the handle."""
    casters = [
        parts.caster(name, "cart", at=(x, y, 0), radius=0.06, trail=0.04, start=0.3)
        for name, (x, y) in CORNERS.items()
    ]
    return parts.build(
        parts.Body("cart", 20.0, shape=da.scene.box(0.9, 0.5, 0.5).moved(0, 0, 0.35)),
        parts.Planar("cart", at=(0, 0, 0.06)),
        casters,
        parts.Push("cart", along=(1, 0, 0), at=(-0.45, 0.1, 0.4)),
        name="shopping cart",
    )


def main(show=True):
    """Push for three seconds, and compare the energy gained with the work done."""
    made = cart()
    traj = da.simulate(made, h=0.01, t=3.0, u=10.0)
    gained = np.asarray(da.diagnostics.energy_error(made, traj))[-1]
    work = da.diagnostics.work(made, traj)[-1]
    print(f"after 3 s: x = {traj.final['x']:.3f} m, turned by {traj.final['theta']:.3f} rad")
    print(f"energy gained {gained:.6f} J, work of the push {work:.6f} J")
    angles = ", ".join(f"{traj.final[f'{name} fork']:.2f}" for name in CORNERS)
    print(f"casters at {angles} rad to the cart")
    if show:
        da.show(made, traj)


if __name__ == "__main__":
    main()
