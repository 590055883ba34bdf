"""Define a custom method: Gauss collocation of order 4 on R^n, with the velocity projected.

    K_i = a(Q_i, V_i),   Q_i = q + h sum_j a_ij V_j,   V_i = v + h sum_j a_ij K_j

Run it: python examples/own_method.py, or dalembert run knife-edge --method
examples/own_method.py:GaussFour. `dalembert.testing.check_method` measures its claims.
"""

import dataclasses
import math

import jax.numpy as jnp

import dalembert as da
from dalembert.dynamics import acceleration, consistent_velocity, momentum, multipliers
from dalembert.methods import Advance, Method, Newton, Row, Traits, code, exact_row

R = math.sqrt(3) / 6
A = jnp.array([[0.25, 0.25 - R], [0.25 + R, 0.25]])
C = jnp.array([0.5 - R, 0.5 + R])


@dataclasses.dataclass(frozen=True)
class GaussFour(Method):
    """Gauss collocation with two stages, then the velocity projected onto the constraint."""

    newton: Newton = Newton(residual_tol=1e-12)

    name = "gauss-four"
    traits = Traits(
        order=4,
        multiplier_order=4,
        symmetric=False,
        explicit=False,
        keeps="the constraint at the nodes",
        reference="Hairer, Lubich, Wanner",
        on_constraint=True,
    )
    needs_quadratic = False

    def start(self, system, t, h, q, v):
        row = exact_row(t, q, v, momentum(system, q, v), multipliers(system, q, v, t))
        return (q, v), row

    def step(self, system, t, h, carry):
        q, v = carry
        n = system.dim

        def stages(x):
            V = v[None] + h * A @ x.reshape(2, n)
            return q[None] + h * A @ V, V

        def defect(x):
            Q, V = stages(x)
            K = [acceleration(system, Q[i], V[i], t + C[i] * h) for i in range(2)]
            return jnp.concatenate(K) - x

        guess = jnp.tile(acceleration(system, q, v, t), 2)
        root = self.newton.solve(defect, guess)
        q1 = q + h * jnp.mean(stages(root.x)[1], axis=0)
        v1 = consistent_velocity(system, q1, v + h * jnp.mean(root.x.reshape(2, n), axis=0), t + h)
        p, lam = momentum(system, q1, v1), multipliers(system, q1, v1, t + h)
        row = Row(t + h, q1, v1, p, lam, root.residual, code(root.result, v1, lam))
        return Advance((q1, v1), row, system.groupoid.group.identity())


def main() -> None:
    """Print the errors on the sleigh at two step sizes: half the step gives 1/16 of the error."""
    sleigh = da.systems.ChaplyginSleigh()
    exact = sleigh.closed_form(jnp.asarray(4.0))[0]
    for h in (0.1, 0.05):
        last = da.simulate(sleigh, GaussFour(), h=h, steps=round(4 / h)).final
        print(f"h = {h:<5} error {float(jnp.max(jnp.abs(last.q - exact))):.2e}")


if __name__ == "__main__":
    main()
