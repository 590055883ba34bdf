"""Changes of one sign, factor or index, each of which a named test must catch.

    python tests/mutation/run.py --jobs 4   # all of them, some minutes
    python tests/mutation/run.py gauss      # those whose file or new text contains the word

`tests/test_mutations.py` checks that every old text still occurs exactly once.
"""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """Replace `old` by `new` in a file of the package; `tests` are arguments of pytest."""

    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def claim(*words: str) -> tuple[str, ...]:
    """The claims whose name contains all of the words."""
    return "test_claims.py", "-k", " and ".join(words)


ORDERS = "test_high_order.py::test_order_residual_and_step_back"
BALL = (f"{ORDERS}[gauss-2-ball]",)
PARTICLE = (f"{ORDERS}[gauss-2-particle]",)

MUTATIONS = (
    # -- methods
    Mutation(
        "methods/gauss.py",
        "push = push - 0.5 * solve_reactions(self.system, here.C, here.values",
        "push = push + 0.5 * solve_reactions(self.system, here.C, here.values",
        ("test_high_order.py::test_a_sweep_leads_toward_the_constraint",),
    ),
    Mutation(
        "methods/gauss.py",
        "return V, F, h * (self.A - half_b) @ F, h * half_b @ F",
        "return V, F, h * (self.A + half_b) @ F, h * half_b @ F",
        PARTICLE,
    ),
    Mutation(
        "methods/gauss.py",
        "h * (self.A - half_b) @ x.F, V",
        "h * self.A @ x.F, V",
        BALL,
    ),
    Mutation(
        "methods/gauss.py",
        "self.t + self.h * np.append(1.0, self.c)",
        "self.t + self.h * np.append(1.0, 1.0 - self.c)",
        ("test_time.py::test_stages_are_asked_at_their_own_times",),
    ),
    Mutation(
        "methods/lobatto.py",
        "y = h * A @ F - chart.z[None]",
        "y = h * A @ F + chart.z[None]",
        ("test_high_order.py::test_lobatto_2_is_dla_trapezoidal",),
    ),
    Mutation(
        "methods/tableaux.py",
        "b[None, :] - b[None, :] * A.T / b[:, None]",
        "b[None, :] - b[None, :] * A / b[:, None]",
        ("test_high_order.py::test_lobatto_pair",),
    ),
    Mutation(
        "methods/gni.py",
        "impulse = -2.0 * node.defect",
        "impulse = -1.0 * node.defect",
        ("test_methods.py", "-k", "finding_a12"),
    ),
    Mutation(
        "methods/gni.py",
        "p_minus = p + 0.5 * h * linear_constraint",
        "p_minus = p - 0.5 * h * linear_constraint",
        claim("gni-trapezoidal", "bent]"),
    ),
    Mutation(
        "methods/gni.py",
        "p = p - ends[0] * h * slope(carry.q)",
        "p = p + ends[0] * h * slope(carry.q)",
        claim("gni-trapezoidal", "bent]"),
    ),
    Mutation(
        "methods/dla.py",
        "self._split(system, t + h, h, q, p_plus)",
        "self._split(system, t, h, q, p_plus)",
        ("test_claims.py::test_claim[orders: dla-midpoint on bent, affine]",),
    ),
    Mutation(
        "methods/dla.py",
        "impulse - legendre_plus(self.rule, system, t - h, h, before)",
        "impulse + legendre_plus(self.rule, system, t - h, h, before)",
        ("test_one_step.py::test_the_nodes_are_those_of_the_two_step_form",),
    ),
    Mutation(
        "methods/constant_mass.py",
        "return middle + 0.5 * h * v, v",
        "return middle + h * v, v",
        claim("leapfrog", "composition"),
    ),
    Mutation(
        "methods/constant_mass.py",
        "half_pull = 0.5 * h * _pull(system, q)",
        "half_pull = h * _pull(system, q)",
        claim("shake", "bent]"),
    ),
    Mutation(
        "methods/constant_mass.py",
        "balance = v - half - 0.5 * h * _pull(system, q)",
        "balance = v - half + 0.5 * h * _pull(system, q)",
        claim("mp-midpoint", "bent]"),
    ),
    Mutation(
        "methods/composition.py",
        "np.concatenate([[0.0], np.cumsum(gamma)[:-1]])",
        "np.concatenate([[0.0], np.cumsum(gamma)[1:]])",
        ("test_composition.py::test_a_step_and_back[leapfrog-4]",),
    ),
    Mutation(
        "methods/composition.py",
        "p_minus = row.p + ratio * (carry.p_minus - row.p)",
        "p_minus = row.p - ratio * (carry.p_minus - row.p)",
        ("test_composition.py::test_gni_reaches_order_4_by_rescaling_only",),
    ),
    Mutation(
        "methods/composition.py",
        "np.roll(gamma, -1) / gamma",
        "np.roll(gamma, 1) / gamma",
        ("test_composition.py::test_gni_reaches_order_4_by_rescaling_only",),
    ),
    # -- dynamics
    Mutation(
        "dynamics.py",
        "force = force - change",
        "force = force + change",
        ("test_time.py::test_the_mass_grows[gauss-2]",),
    ),
    Mutation(
        "dynamics.py",
        "lam = -solve_reactions(system, C, drift + mu @ free)",
        "lam = -solve_reactions(system, C, drift - mu @ free)",
        ("test_dynamics.py::test_sign_of_the_multiplier",),
    ),
    Mutation(
        "dynamics.py",
        "force = force + groupoid.ad(q, v).T @ momentum",
        "force = force - groupoid.ad(q, v).T @ momentum",
        ("test_dynamics.py::test_euler_equations",),
    ),
    Mutation(
        "dynamics.py",
        "linear = linear - linear_offset(system, t, q)",
        "linear = linear + linear_offset(system, t, q)",
        ("test_dynamics.py::test_moving_constraint_does_work",),
    ),
    Mutation(
        "dynamics.py",
        "mixed + mixed.T - raised.T @ masses @ raised",
        "mixed + mixed.T + raised.T @ masses @ raised",
        ("test_parasitic.py::test_matrix_is_the_rate_under_the_free_motion",),
    ),
    Mutation(
        "dynamics.py",
        "<= 4 * round_off() * (jnp.abs(mu)",
        "<= 4e9 * round_off() * (jnp.abs(mu)",
        ("test_dynamics.py", "-k", "projected or split"),
    ),
    Mutation(
        "linalg.py",
        "left <= 2.0 * tracing.round_off() * rows",
        "left <= 2e9 * tracing.round_off() * rows",
        ("test_linalg.py::test_newton_converges_to_round_off",),
    ),
    Mutation(
        "compile/ir/tape.py",
        "if loop.runs else None",
        "if True else None",
        ("test_scalarize.py", "-k", "after"),
    ),
    # -- running, and what follows its rows
    Mutation(
        "request/step.py",
        "return t0 + k * h",
        "return t0 - k * h",
        ("test_time.py::test_the_mass_grows[gauss-2]",),
    ),
    Mutation(
        "request/step.py",
        "group.mul(state.frame, advance.frame)",
        "group.mul(advance.frame, state.frame)",
        claim("reduced_ball"),
    ),
    Mutation(
        "running/record/sinks.py",
        "np.maximum.reduceat(residual[:after], starts, axis=0)",
        "np.minimum.reduceat(residual[:after], starts, axis=0)",
        ("test_sinks.py::test_rows",),
    ),
    Mutation(
        "running/record/reductions.py",
        "other.square + step**2 * self.n * share",
        "other.square + step**2 * other.n * share",
        ("test_ensemble.py::test_reductions_are_those_of_the_rows",),
    ),
    Mutation(
        "running/record/reductions.py",
        "_Sums(n, self.mean + step * share, square",
        "_Sums(n, self.mean - step * share, square",
        ("test_ensemble.py::test_reductions_are_those_of_the_rows",),
    ),
    Mutation(
        "diagnostics/parasitic.py",
        "(K[1:] @ K[:-1] - K[:-1] @ K[1:])",
        "(K[:-1] @ K[1:] - K[1:] @ K[:-1])",
        ("test_parasitic.py", "-k", "commutator"),
    ),
    # -- geometry
    Mutation(
        "geometry/distribution/connection.py",
        "return moved + groupoid.ad(q, x) @ y",
        "return moved - groupoid.ad(q, x) @ y",
        ("test_geometry_symmetry.py::test_structure_constants_of_rotations_from_both_sides",),
    ),
    Mutation(
        "geometry/reduction/chaplygin_reduction.py",
        "self.exterior(self.connection, r) - bracket",
        "self.exterior(self.connection, r) + bracket",
        ("test_geometry_reduction.py::test_reduced_equations_are_those_with_multipliers",),
    ),
    Mutation(
        "geometry/reduction/reduced_measure.py",
        'jnp.einsum("ded->e", raised)',
        'jnp.einsum("dde->e", raised)',
        ("test_geometry_measure.py::test_beta_is_the_derivative_of_h_and_the_rate_of_volume",),
    ),
    Mutation(
        "geometry/symmetry/momentum.py",
        "lift = slope + groupoid.ad(q, v) @ Xi",
        "lift = slope - groupoid.ad(q, v) @ Xi",
        ("test_findings_geometry.py", "-k", "momenta_on_a_group"),
    ),
    Mutation(
        "geometry/symmetry/momentum.py",
        'np.einsum("sb,abc->sac", np.asarray(eta), constants)',
        'np.einsum("sb,acb->sac", np.asarray(eta), constants)',
        ("test_findings_geometry.py", "-k", "upright_disk"),
    ),
    Mutation(
        "geometry/distribution/growth_flag.py",
        "return _Field(less, ring.along(y, x) - ring.along(x, y), bounds)",
        "return _Field(less, ring.along(y, x) + ring.along(x, y), bounds)",
        ("test_geometry_connection.py::test_integrability",),
    ),
    # -- hybrid systems
    Mutation(
        "compile/ir/error_bounds.py",
        "bound = np.where(small, bound + _TINY, bound)",
        "bound = np.where(small, 1.0 * bound, bound)",
        ("test_jumps.py::test_roundoff_bounds_hold_and_tell_zeros_apart",),
    ),
    Mutation(
        "hybrid/jumps.py",
        "target = c - e * (forms @ v - c)",
        "target = c + e * (forms @ v - c)",
        ("test_jumps.py::test_host_and_compiled_code_agree_and_targets_are_met",),
    ),
    Mutation(
        "hybrid/jumps.py",
        "energy_lost=float(-0.5 * change @ G @ (v + after))",
        "energy_lost=float(-0.5 * change @ G @ (v - after))",
        ("test_jumps.py::test_host_and_compiled_code_agree_and_targets_are_met",),
    ),
    Mutation(
        "hybrid/jumps.py",
        "pushed = P + R.T @ ((1.0 + e) * s[m:])",
        "pushed = P + R.T @ ((1.0 - e) * s[m:])",
        ("test_jumps.py::test_rules_of_newton_and_poisson",),
    ),
    Mutation(
        "hybrid/projection.py",
        "w = w + x.vectors @ shift",
        "w = w - x.vectors @ shift",
        ("test_jumps.py::test_sphere_comes_to_a_rough_plane",),
    ),
    Mutation(
        "geometry/distribution/rank_change.py",
        "_NOISE = 8.0",
        "_NOISE = 0.0",
        ("test_jumps.py::test_rank_of_small_rows",),
    ),
    Mutation(
        "geometry/distribution/rank_change.py",
        "/ (2.0**k - 1.0)",
        "/ (2.0**k + 1.0)",
        ("test_jumps.py::test_forms_that_vanish_at_different_rates",),
    ),
    Mutation(
        "hybrid/unilateral.py",
        "np.asarray(result.v_after) + e * approach",
        "np.asarray(result.v_after) - e * approach",
        ("test_jumps.py::test_contacts_push_and_never_pull",),
    ),
    Mutation(
        "hybrid/friction.py",
        "pull = -K[0, 1] / K[0, 0]",
        "pull = K[0, 1] / K[0, 0]",
        ("test_jumps.py::test_paradox_of_friction",),
    ),
    Mutation(
        "hybrid/singular_exits.py",
        "direction = self.unit(direction + tangent @ step)",
        "direction = self.unit(direction - tangent @ step)",
        ("test_jumps.py::test_particle_across_the_cone_has_two_families_of_exits",),
    ),
    # -- control
    Mutation(
        "control/linear.py",
        "u = self.u0 - self.K @ x",
        "u = self.u0 + self.K @ x",
        ("test_control_motion.py::test_feedback_holds_a_pole_and_without_it_falls",),
    ),
    Mutation(
        "control/linear.py",
        "-(reach.T @ W @ rest + P @ beside)",
        "-(reach.T @ W @ rest - P @ beside)",
        ("test_findings3_control.py", "-k", "riccati"),
    ),
    Mutation(
        "control/tracking.py",
        "F[i].T @ P @ (F[i] - G[i] @ K[i])",
        "F[i].T @ P @ (F[i] + G[i] @ K[i])",
        ("test_tracking.py::test_gains_of_a_constant_system_are_those_of_its_regulator",),
    ),
    Mutation(
        "control/decoupling.py",
        "c = c - step\n",
        "c = c + step\n",
        ("test_control.py::test_null_vectors_of_given_forms",),
    ),
    Mutation(
        "control/optimal.py",
        "(steps, 1, 1)).ravel() * made.h",
        "(steps, 1, 1)).ravel() * duration",
        ("test_control_optimal.py::test_a_mass_on_a_line_has_a_closed_form",),
    ),
    # -- parts
    Mutation(
        "parts/motion.py",
        "carried = carried if relative is None or not moving else relative.T @ carried",
        "carried = carried if relative is None or not moving else relative @ carried",
        ("test_parts.py::test_closed_forms_are_derivatives_of_the_lagrangian",),
    ),
    Mutation(
        "parts/motion.py",
        "return v[two] - gear.ratio * v[one]",
        "return v[two] + gear.ratio * v[one]",
        ("test_findings3_parts.py::test_finding3_b1_mimic_is_a_gear",),
    ),
    Mutation(
        "parts/columns.py",
        "xp.zeros(3) if through else xp.cross(lever, axis)",
        "xp.zeros(3) if through else xp.cross(axis, lever)",
        ("test_parts.py::test_closed_forms_are_derivatives_of_the_lagrangian",),
    ),
    Mutation(
        "parts/contacts.py",
        "up = n - (n @ axle) * axle",
        "up = n + (n @ axle) * axle",
        ("test_parts.py::test_bicycle_has_the_published_eigenvalues",),
    ),
    Mutation(
        "parts/contacts.py",
        "along, across = s * along + c * across, c * along - s * across",
        "along, across = s * along - c * across, c * along + s * across",
        ("test_machines.py::test_mecanum_wheels_follow_the_textbook",),
    ),
    # -- compile
    Mutation(
        "compile/taylor/coefficient_emit.py",
        "half = e.constant(np.float64(0.5))",
        "half = e.constant(np.float64(1.0))",
        ("test_taylor.py::test_coefficients_are_those_of_cauchy",),
    ),
    Mutation(
        "compile/ir/constant_folding.py",
        "number(x * factor, dtype), rest",
        "number(x / factor, dtype), rest",
        ("test_scalarize.py", "-k", "powers_of_two"),
    ),
    Mutation(
        "compile/ir/constant_folding.py",
        '_SHOWS_SIGN = {"atan2": 0, "div": 1}',
        '_SHOWS_SIGN = {"atan2": 1, "div": 0}',
        ("test_findings3_runs.py", "-k", "sign_of_a_zero"),
    ),
    Mutation(
        "compile/ir/record.py",
        'bad = apply(self.tape, "not", FLAG, apply(self.tape, "is_finite", FLAG, total))',
        'bad = apply(self.tape, "is_finite", FLAG, total)',
        ("test_findings3_runs.py", "-k", "lagrangian_is_nan"),
    ),
    # -- running: what a run says of itself
    Mutation(
        "request/initial_data.py",
        "np.where(off <= np.maximum(began, ends), np.minimum(share, 1.0), share)",
        "np.where(off >= np.maximum(began, ends), np.minimum(share, 1.0), share)",
        ("test_findings3_runs.py::test_finding3_a8_a_step_beyond_stability",),
    ),
    Mutation(
        "request/constraint_rows.py",
        "j = np.argmax(change, axis=1)",
        "j = np.argmin(change, axis=1)",
        ("test_findings3_runs.py", "-k", "constraint_that_jumps"),
    ),
    Mutation(
        "running/record/constraint_watch.py",
        "t0[own] + lasts * shares",
        "t0[own] - lasts * shares",
        (
            "test_findings3_runs.py"
            "::test_finding3_c4_a_row_that_fades_in_time_is_found_between_saved_rows",
        ),
    ),
    Mutation(
        "rows.py",
        "here[1:, :, i] == here[:-1, :, i]",
        "here[1:, :, i] != here[:-1, :, i]",
        ("test_findings.py::test_finding_a8_a_swallowed_move_is_told",),
    ),
    Mutation(
        "hybrid/guards.py",
        "late = y[here] + y[after] < _LATE * -change[here]",
        "late = y[here] + y[after] < _LATE * change[here]",
        ("test_findings3_events.py", "-k", "second_zero"),
    ),
    # -- hybrid: contacts with friction
    Mutation(
        "hybrid/coulomb.py",
        "friction = given - push[:, :-1] @ load",
        "friction = given + push[:, :-1] @ load",
        ("test_friction.py", "-k", "stops_and_stays"),
    ),
    Mutation(
        "hybrid/coulomb.py",
        "matrix = jnp.eye(len(normals)) - lam[normals, :-1]",
        "matrix = jnp.eye(len(normals)) + lam[normals, :-1]",
        ("test_friction.py", "-k", "painleves_rod"),
    ),
    Mutation(
        "hybrid/impacts.py",
        "push[contact] -= _friction(self.mu(g), d)",
        "push[contact] += _friction(self.mu(g), d)",
        ("test_friction.py", "-k", "bounces_end"),
    ),
)
