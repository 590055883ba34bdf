"""Report on a system: its constraint, symmetries, reduction, measure and conserved quantities.

Every verdict comes with the number that decides it. The hypotheses of the theorem behind it are
tested: if they fail, the verdict is "does not apply: ..."; if the numbers do not decide, it is
"inconclusive: ...". Verdicts use sampled states near the initial data. They are numerical
evidence, not proofs.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from ..compile.function import compiled_rows
from ..compile.tracing import tracing_once
from ..dynamics import energy, energy_is_conserved, parasitic_matrix
from ..errors import UsageError
from ..groupoids import Pair, move
from ..pages import Table, document, escape
from ..system import Point, System, compiled_call, overrides
from .distribution.connection import noether_tests
from .distribution.growth_flag import (
    INTEGRABLE,
    LATER,
    ROUND_OFF,
    States,
    constraint_rank,
    growth,
    largest_frobenius_residual,
    sample_states,
)
from .distribution.time_dependent import require_autonomous
from .reduction.chaplygin_reduction import Chaplygin, chaplygin, chart_of
from .reduction.charts import slope_along
from .reduction.elimination import eliminated
from .reduction.equivalences import chaplygin_verdicts, rdla_is_variational
from .reduction.reduced_measure import Measure, hamiltonization, told
from .reduction.state_measure import phase_measure
from .reduction.two_step_reduction import two_steps
from .reduction.velocity_density import velocity_measure
from .symmetry.generators import (
    GENERAL,
    KINEMATIC,
    Symmetry,
    invariance,
    symmetry_class,
    symmetry_names,
)
from .symmetry.momentum import Momenta, momenta, moving_energy
from .symmetry.state_forms import admissibility


@dataclasses.dataclass(frozen=True)
class Finding:
    """One row of the report: a quantity, its verdict, and the number that decides it."""

    section: str
    quantity: str
    verdict: str
    evidence: str


@dataclasses.dataclass(frozen=True)
class Analysis:
    """Report on a system; print it, or export it with `to_markdown` or `to_html`."""

    system: str
    findings: tuple[Finding, ...]

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Return rows (section, quantity, verdict, evidence).

        The section is named only in its first row; in its further rows the entry is empty.
        """
        out, last = [], None
        for f in self.findings:
            out.append(("" if f.section == last else f.section, f.quantity, f.verdict, f.evidence))
            last = f.section
        return out

    def table(self) -> Table:
        """Return the report as a table."""
        return Table(("", "quantity", "verdict", "decided by"), self.rows(), align="llll")

    def __str__(self) -> str:
        return f"analysis of {self.system}\n\n{self.table().text()}"

    def to_markdown(self) -> str:
        """Return the report as Markdown."""
        return f"# {self.system}\n\n{self.table().markdown()}"

    def to_html(self) -> str:
        """Return the report as a self-contained HTML page."""
        return document(self.system, f"<h1>{escape(self.system)}</h1>\n{self.table().html()}")


def analyze(system: System, q: Point = None, *, degree: int = 5) -> Analysis:
    """Report the constraint, symmetries, reduction, measure and conserved quantities near q.

    q defaults to the initial data. Momenta and conserved quantities are judged on random states
    around it. Brackets of the constraint distribution are computed up to `degree`.
    """
    if q is None:
        if not overrides(system, "initial"):
            raise UsageError(
                f"{system.name()} has no default initial data: give a point, analyze(system, q) "
                "or --q0"
            )
        q = system.initial()[0]
    q = system.groupoid.base.check(q)
    if system.has_timed_constraint:
        require_autonomous(system, "the geometry of a constraint")
    with tracing_once():
        return Analysis(system.name(), tuple(_findings(system, q, degree)))


def _findings(system: System, q: Point, degree: int) -> list[Finding]:
    result = [*_constraint(system, q, degree)]  # first, because it raises at a singular point
    states = sample_states(system, q, count=8)
    symmetries = _symmetries(system, states)
    result += [
        *symmetries,
        *_reduction(system, q, {f.quantity: f.verdict for f in symmetries}),
        *_conserved(system, states),
        *_parasitic(system, states),
    ]
    return result


_NEUTRAL = 1e-10  # real parts of eigenvalues below this fraction of |K| may be round-off


def _parasitic(system: System, states: States) -> list[Finding]:
    """Report eigenvalues of K at the first state, and whether GNI's parasitic mode may grow."""
    if not system.is_constrained or system.is_nonlinear or system.has_time:
        return []
    K = np.asarray(compiled_rows(parasitic_matrix, system, tuple(states)))
    values = np.linalg.eigvals(K)
    # K is odd in v, so a mode that decays grows for the reversed velocity: any nonzero real part
    # counts. The eigenvalues of each state are compared with the K of that state.
    size = np.max(np.abs(K), axis=(1, 2))[:, None]
    bound = np.maximum(_NEUTRAL * np.maximum(size, 1.0), _eigenvalue_errors(K) * size)
    verdict = "neutral" if np.all(np.abs(values.real) <= bound) else "may grow"
    grows = float(np.max(np.abs(values.real)))
    shown = ", ".join(f"{x.real:.3g}{f'{x.imag:+.3g}i' if x.imag else ''}" for x in values[0])
    text = f"eigenvalues of K {shown} 1/s; largest |Re| of {len(K)} states {grows:.2g}"
    return [Finding("parasitic mode", "of GNI", verdict, text)]


def _eigenvalue_errors(K: np.ndarray) -> np.ndarray:
    """Return bounds on the round-off of eigenvalues of stacked matrices, relative to |K|.

    A change of the matrix moves an eigenvalue by 1/|y x| times that change, where x and y are its
    right and left eigenvectors of unit length. In an m-fold Jordan block (a rolling disk has one)
    the eigenvalue moves by the m-th root of the change.
    """
    m = K.shape[1]
    whole = ROUND_OFF ** (1.0 / m)
    result = np.full(K.shape[:2], whole)
    for i, right in enumerate(np.linalg.eig(K)[1]):
        try:
            left = np.linalg.inv(right)
        except np.linalg.LinAlgError:  # a Jordan block: the bound stays `whole`
            continue
        result[i] = np.minimum(ROUND_OFF * np.linalg.norm(left, axis=1), whole)
    return result


def _time_slope(system, states):
    """Return the largest |dL/dt| over the states at two times, relative to all derivatives of L."""

    def at(q, v, t):
        def moved(w, s, u):
            return system.lagrangian_at(s[0], move(system.groupoid, q, w), u)

        return slope_along(moved, jnp.zeros(system.dim), t[None], v)[0]

    times = jnp.asarray(LATER)
    each = jax.vmap(jax.vmap(at, (0, 0, None)), (None, None, 0))
    return jnp.max(each(states.q, states.v, times))


def _kind(system: System) -> str:
    kinds = [
        ("nonlinear", system.is_nonlinear),
        ("affine", system.has_offset),
        ("with holonomic rows", system.has_holonomic),
    ]
    return ", ".join(k for k, holds in kinds if holds) or "linear"


def _constraint(system: System, q: Point, degree: int) -> list[Finding]:
    section = "constraint"
    if not system.is_constrained:
        return [Finding(section, "kind", "none", "")]
    out = [Finding(section, "kind", _kind(system), "")]
    if system.is_nonlinear:  # a distribution exists only for constraints linear or affine in v
        return out + _nonlinear(system, q)
    rank = constraint_rank(system, q)
    out.append(
        Finding(section, "rank", f"{rank.rank} of {rank.rows}", f"condition {rank.condition:.3g}")
    )
    residual = largest_frobenius_residual(system, q)
    verdict = "yes: holonomic in disguise" if residual <= INTEGRABLE else "no: nonholonomic"
    text = f"largest Frobenius residual {residual:.2e} of 4 points"
    out.append(Finding(section, "integrable", verdict, text))
    flag = growth(system, q, max_degree=degree)
    verdict = str(flag.vector)
    if flag.degree is not None:
        text = f"everything at degree {flag.degree}"
    elif flag.settled:
        text = "never everything: involutive here and nearby"
    else:
        verdict = f"inconclusive: {verdict} up to degree {flag.searched}"
        text = "the search ended there: go on with --degree"
    where = "R x Q (time counts)" if system.has_offset else "Q"
    out.append(Finding(section, "growth vector", verdict, f"{text}; dim {where} = {flag.dim}"))
    return out


def _nonlinear(system: System, q: Point) -> list[Finding]:
    """Report whether the constraint is admissible, compatible and homogeneous (3.4.1 [C02])."""
    states = sample_states(system, q, count=4)
    each = [
        admissibility(system, jax.tree.map(lambda x, i=i: x[i], states.q), states.v[i])
        for i in range(len(states.v))
    ]
    condition = max(found.condition for found in each)
    defect = max(found.defect for found in each)
    text = f"worst of {len(each)} states"
    return [
        Finding(
            "constraint", name, "yes" if all(getattr(f, name) for f in each) else "no", evidence
        )
        for name, evidence in (
            ("admissible", f"rank of d phi/dv, {text}"),
            ("compatible", f"condition of C {condition:.3g}, {text}"),
            ("homogeneous", f"|v . d phi/dv|, relative: {defect:.1e}, {text}"),
        )
    ]


def _told(section: str, quantity: str, ask: Callable[[], list[Finding]]) -> list[Finding]:
    """Return the findings of `ask`, or if it raised `UsageError` a finding with the reason."""
    try:
        return ask()
    except UsageError as error:
        return [Finding(section, quantity, f"does not apply: {error}", "")]


def _symmetries(system: System, states: States) -> list[Finding]:
    section = "symmetry"
    names = symmetry_names(system)
    if not names:
        return [Finding(section, "declared", "none", "")]

    def ask(name: str) -> list[Finding]:
        symmetry = Symmetry.of(system, name)
        values = invariance(system, symmetry, states)
        evidence = f"L {values.lagrangian:.1e}, constraint {values.constraint:.1e}"
        evidence = f"invariance residuals: {evidence}"
        if not values.holds:
            return [Finding(section, name, "broken", evidence)]
        if system.is_nonlinear:
            verdict = "invariant; class does not apply: the constraint is not linear in v"
            return [Finding(section, name, verdict, evidence)]
        kind = symmetry_class(system, symmetry, states, check=False)
        text = f"{evidence}; dim g^q = {kind.dim}"
        if not kind.free:
            text += f"; not free: orbits of dimension {kind.orbit}, {kind.generators} generators"
        out = [Finding(section, name, str(kind), text)]
        known = momenta(system, symmetry, states)
        if known.count:
            out.append(_momenta(name, known))
        if kind.kind == GENERAL and not system.has_offset:
            steps = two_steps(system, symmetry, states)
            text = f"g' of dimension {steps.constant.shape[1]}, g^q {kind.dim}"
            out.append(
                Finding(section, f"two steps by {name}", told(steps.verdict, steps.reason), text)
            )
        return out

    values = [_told(section, name, lambda name=name: ask(name)) for name in names]
    return [finding for findings in values for finding in findings]


def _momenta(name: str, known: Momenta) -> Finding:
    shown = ", ".join(f"{x:.1e}" for x in known.rates)
    text = f"momentum equation {known.residual:.1e}; relative rates {shown}"
    verdict = f"{known.kept} of {known.count} constant"
    if known.kept < known.count:
        verdict = f"inconclusive: {known.kept} of {known.count} found constant"
        text += "; sections fixed in space, in the body, and with factors of the shape were tried"
    elif known.frame != "space":
        verdict += " (body frame)" if known.frame == "body" else " (with factors of the shape)"
    return Finding("symmetry", f"momenta of {name}", verdict, text)


def _reduction(system: System, q: Point, kinds: dict[str, str]) -> list[Finding]:
    section, kinematic = "reduction", [name for name, kind in kinds.items() if kind == KINEMATIC]
    split = system.chaplygin_split
    measured = functools.partial(_measure, system, q, kinds)
    if split is None:
        hint = ""
        if kinematic and not (system.has_offset or system.has_time):
            names = ", ".join(f"'{name}'" for name in kinematic)
            hint = f"a reduction by {names} exists: declare it in `chaplygin_split`"
        return [Finding(section, "Chaplygin", "none declared", hint), *measured()]
    shape, group, circles = split
    try:
        if system.has_holonomic:  # the indices in `split` count the remaining coordinates
            system = eliminated(system)
            q = system.reduced(q, jnp.zeros(system.system.dim))[0]
        chart = chart_of(system, shape, group)
        at = chart.split(q)[0]
        reduced = chaplygin(system, chart=chart, circles=circles, at=at)
        multiplier = hamiltonization(reduced, origin=at)
    except UsageError as error:
        return [Finding(section, "Chaplygin", f"does not apply: {error}", ""), *measured()]
    others = [*chaplygin_verdicts(reduced, at=at), rdla_is_variational(reduced, at=at)]
    measure = multiplier.measure
    text = f"|beta| {measure.size:.2e}, |d beta| {measure.closedness:.1e}"
    decided = (
        f"gyroscopic form {multiplier.gyroscopic:.1e}, defect of (5.10) {multiplier.defect:.1e}"
    )
    periods = [f"{p:.4g}" for p in measure.periods if p is not None]
    if periods:
        text += f", periods {', '.join(periods)}"
    return [
        Finding(section, "Chaplygin", f"by {group!r} to shapes in {reduced.base!r}", ""),
        _decided(reduced, at, measure, text),
        Finding(section, "Hamiltonian", told(multiplier.verdict, multiplier.reason), decided),
        *(
            Finding(
                section,
                other.theorem,
                told(other.verdict, other.reason),
                f"{len(other.statements)} statements: "
                + ", ".join(f"{s.value:.1e}" for s in other.statements),
            )
            for other in others
        ),
    ]


def _decided(reduced: Chaplygin, at: Point, measure: Measure, text: str) -> Finding:
    """Report the measure; if a potential leaves it inconclusive, try densities k(r, w) (5.13)."""
    section, quantity = "reduction", "invariant measure"
    plain = Finding(section, quantity, told(measure.verdict, measure.reason), text)
    if measure.verdict != "inconclusive" or measure.kinetic or measure.undecided:
        return plain
    density = velocity_measure(reduced, at)
    if density.verdict not in ("yes", "no"):
        return dataclasses.replace(plain, evidence=f"{text}; with velocities: {density.reason}")
    numbers = f"(5.13) in power series: mismatch {density.mismatch:.1e}"
    if density.verdict == "no":
        numbers += f", at an equilibrium {density.obstruction:.1e}"
    return Finding(section, quantity, told(density.verdict, density.reason), f"{text}; {numbers}")


def _measure(system: System, q: Point, kinds: dict[str, str]) -> list[Finding]:
    """Report the invariant measure of an unreduced system, on D modulo its largest symmetry."""
    section, quantity = "reduction", "invariant measure"
    holds = [name for name in symmetry_names(system) if _usable(kinds.get(name, ""))]
    sizes = {
        x: jax.eval_shape(Symmetry.of(system, x).generators, system, q).shape[1] for x in holds
    }
    tried: list[Symmetry | None] = [
        Symmetry.of(system, name) for name in sorted(holds, key=lambda x: -sizes[x])
    ]
    if not isinstance(system.groupoid, Pair) or not tried:
        tried = [None]

    def ask() -> list[Finding]:
        measure = phase_measure(system, tried[0], q)
        text = f"rate of the metric's volume {measure.size:.2e}, contradiction "
        text += f"{measure.consistency:.1e}, closedness {measure.closedness:.1e}"
        where = f"modulo '{measure.modulo}'; " if measure.modulo else ""
        return [Finding(section, quantity, told(measure.verdict, measure.reason), where + text)]

    return _told(section, quantity, ask)


def _usable(kind: str) -> bool:
    """Return whether `kind` says that the symmetry holds, with one class at nearby points."""
    return bool(kind) and not kind.startswith(("broken", "singular", "does not apply", "invariant"))


def _conserved(system: System, states: States) -> list[Finding]:
    section, moving = "conserved", "moving energy, from a symmetry"
    candidates = {"energy": lambda q, v: energy(system, q, v)} | dict(system.invariants)
    if system.has_time:
        candidates.pop("energy")  # E' is not zero but -dL/dt: it is tested below

    def ask(*names: str) -> list[Finding]:
        tests = noether_tests(system, {n: candidates[n] for n in names}, states)
        return [
            Finding(
                section,
                name,
                "yes" if test.holds else "no",
                f"largest rate, relative: {test.relative:.1e}",
            )
            for name, test in tests.items()
        ]

    def ask_moving() -> list[Finding]:
        field = moving_energy(system, states=states)
        text = f"A Y - b {field.mismatch:.1e}, Y(L) {field.invariance:.1e}"
        return [Finding(section, moving, f"by {field.symmetry.name}", text)]

    names = tuple(candidates)
    if system.has_time:
        slope = float(compiled_call(_time_slope, system, states))
        verdict = "yes" if slope <= _NEUTRAL else "no"
        text = f"dE/dt = -dL/dt, largest, relative: {slope:.1e}"
        timed = [Finding(section, "energy", verdict, text)]
        return timed + [x for name in names for x in _told(section, name, lambda n=name: ask(n))]
    try:
        out = [ask(*names)]
    except UsageError:  # a candidate raised and hid the results of the others: test each one alone
        out = [_told(section, name, lambda name=name: ask(name)) for name in names]
    if not energy_is_conserved(system) and not system.is_nonlinear:
        out.append(_told(section, moving, ask_moving))
    return [finding for findings in out for finding in findings]
