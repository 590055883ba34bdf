"""Accessibility and controllability from rest, after chapter 8 [C02].

Verdicts use the values at one point of products of the input fields, computed to a finite degree.
A verdict is "yes" or "no" only if a theorem whose hypotheses hold implies it, else "inconclusive".
It is "does not apply" if the theory does not cover the system.

    LCA  locally configuration accessible: Lie(Sym(Y)) is the whole tangent space (Theorem 8.2.1)
    LA   locally accessible: Sym(Y) is the distribution D (the tangent space without constraints)
    STLCC, STLC  small-time locally (configuration) controllable (Theorem 8.2.2, 8.3.1, 8.4.2)

Theorem 8.4.2 and its corollaries claim more than is true: "only if" is false (E30), and so is case
1 of the proof (E33). `second_order` has the corrected statements. A force at rest, a
potential, is treated by brackets on TQ (`drift`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..errors import UsageError
from ..geometry.distribution.connection import Connection
from ..linalg import RANK_TOLERANCE
from ..system import Point, System
from .closures import (
    DEPENDENT,
    Closure,
    FieldProduct,
    involutive_closure,
    span,
    symmetric_products,
)
from .decoupling import decoupling_fields
from .drift import judge_drift
from .germs import ControlGerm, Germ, check_connection, check_inputs
from .hypotheses import Verdict, check_hypotheses
from .quadratic_form import QuadraticForm, form_kind, isotropic_basis, quadratic_form
from .second_order import SecondOrder, second_order


class BadProduct(NamedTuple):
    """A bad product and the part of it outside the span of good products of lower degree."""

    counts: tuple[int, ...]
    # size of this part, for the product scaled to unit length; zero if the product vanishes
    outside: float

    @property
    def degree(self) -> int:
        """The number of inputs in the product, counted as often as they occur."""
        return sum(self.counts)


class GoodBad(NamedTuple):
    """The test of Theorem 8.2.2 in one basis of the inputs."""

    passed: bool  # no bad product up to `degree` is an obstruction
    test_complete: bool  # no bad product of higher degree can be an obstruction
    degree: int
    obstruction: BadProduct | None  # the first bad product that is not a combination of good ones
    basis: np.ndarray  # rows: the tested inputs as combinations of the given ones


@dataclasses.dataclass(frozen=True)
class Controllability:
    """Verdicts on accessibility and controllability of a system from rest at a point."""

    system: str
    dim: int  # dimension of the configuration space
    freedom: int  # dimension of the distribution
    inputs: int
    degree: int  # largest degree of the products formed
    damping: float  # k_d of isotropic damping (8.21)
    hypotheses: Verdict
    sym: Closure
    lie: Closure
    lca: Verdict
    la: Verdict
    stlcc: Verdict
    stlc: Verdict
    good_bad: GoodBad | None
    form: QuadraticForm | None
    second: SecondOrder | None = None  # S and omega modulo the inputs


def controllability(
    system: System,
    q: Point = None,
    *,
    degree: int = 4,
    v: object = None,
    connection: Connection | None = None,
) -> Controllability:
    """Decide accessibility and controllability from rest at q (by default the initial point).

    `degree` bounds the symmetric products and brackets that are formed. The theory is for
    kinetic energy, constraints A(q) v = 0, a start at rest, and no force besides the inputs
    except k_d G v. Each of these is tested near q. If a force acts at rest (a potential), brackets
    on TQ decide: `lie` is then their rank along Q, `sym` the rank of those with no component along
    Q.

    `connection(system, q)` gives the symbols Gamma[a, b, c] of any affine connection in (8.1),
    such as those in `geometry` (`geometry.christoffel`, `geometry.nonholonomic_christoffel`, the
    default). It must preserve the constraint. The verdicts are for (8.1) with this
    connection; `hypotheses` says whether its geodesics are the motions of the system.
    """
    if degree < 2:
        raise UsageError(f"degree must be at least 2, got {degree}")
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    hypotheses, damping = check_hypotheses(system, q, v, connection=connection)
    if hypotheses.answer == "does not apply":
        pushed = check_hypotheses(system, q, v, connection=connection, at_rest=True)
        if pushed[0]:
            return _with_drift(system, q, degree, *pushed, connection)
    if hypotheses.answer == "does not apply":
        none = Closure(0, ())
        return Controllability(
            system.name(), system.dim, 0, len(system.input_labels), degree, damping, hypotheses,
            none, none, hypotheses, hypotheses, hypotheses, hypotheses, None, None,
        )  # fmt: skip
    # one order more than the products, for brackets
    germ = ControlGerm(system, q, degree, connection)
    check_inputs(system, germ)
    if connection is not None:
        check_connection(system, germ)
    return _Judge(system, q, germ, degree, damping, hypotheses, connection).all()


def _with_drift(
    system: System,
    q: Point,
    degree: int,
    hypotheses: Verdict,
    damping: float,
    connection: Connection | None,
) -> Controllability:
    verdicts = judge_drift(system, q, degree, damping, connection)
    return Controllability(
        system.name(), system.dim, verdicts.freedom, len(system.input_labels), degree, damping,
        hypotheses, verdicts.ver, verdicts.hor, verdicts.lca, verdicts.la, verdicts.stlcc,
        verdicts.stlc, None, None,
    )  # fmt: skip


# -- verdicts ------------------------------------------------------------------------------------


class _Judge:
    def __init__(
        self,
        system: System,
        q: Point,
        germ: ControlGerm,
        degree: int,
        damping: float,
        hypotheses: Verdict,
        connection: Connection | None,
    ) -> None:
        self.system, self.q, self.germ, self.degree = system, q, germ, degree
        self.damping, self.hypotheses, self.connection = damping, hypotheses, connection
        self.second = second_order(germ)
        self.products = symmetric_products(germ, germ.inputs, degree)

    def all(self) -> Controllability:
        germ, n, m = self.germ, self.germ.ring.n, len(self.germ.inputs)
        sym = span(germ, [p.field for p in self.products])
        closure = involutive_closure(germ, [p.field for p in self.products])
        lie = span(germ, closure)
        form = quadratic_form(germ)
        test = self._best_test(form, sym.rank)
        lca = self._accessible(lie, n, "Lie(Sym(Y))", "T_qQ", "8.2.1")
        la = self._accessible(sym, germ.dim, "Sym(Y)", "D_q" if len(germ.A) else "T_qQ", "8.2.1")
        # local accessibility is about states of D over an open set of Q, so it requires LCA
        la = la if lca or not la else lca
        return Controllability(
            system=self.system.name(),
            dim=n,
            freedom=germ.dim,
            inputs=m,
            degree=self.degree,
            damping=self.damping,
            hypotheses=self.hypotheses,
            sym=sym,
            lie=lie,
            lca=lca,
            la=la,
            stlcc=self._controllable(lca, test, form, configuration=True),
            stlc=self._controllable(la, test, form, configuration=False),
            good_bad=test,
            form=form,
            second=self.second,
        )

    def _accessible(
        self, found: Closure, wanted: int, what: str, whole: str, theorem: str
    ) -> Verdict:
        if found.rank == wanted:
            return Verdict("yes", f"{what} = {whole} (Theorem {theorem}): {found}")
        if what.startswith("Lie") and self.kinematic:
            return Verdict("yes", f"kinematically controllable: {self.kinematic.reason}")
        if self._settled(what, found.rank):
            return Verdict(
                "no",
                f"{what} has rank {found.rank} of {wanted} here and nearby, and has ended: motions "
                f"from rest stay on its leaves; {found}",
            )
        return Verdict(
            "inconclusive",
            f"{what} has rank {found.rank} of {wanted} to degree {self.degree}, and may grow "
            f"further; raise the degree; {found}",
        )

    @cached_property
    def kinematic(self) -> Verdict:
        """Return the verdict on kinematic controllability, which implies STLCC and so LCA."""
        return decoupling_fields(
            self.system, self.q, degree=self.degree, connection=self.connection
        ).controllable

    def _settled(self, what: str, rank: int) -> bool:
        """Return whether the closure has ended: the same rank near q, and up to half the degree.
        The deepest brackets must add no direction, either: for a car with trailers each depth adds
        one, so that a truncated closure has not ended.
        """
        rng = np.random.default_rng(5)
        half = max(1, self.degree // 2)
        for shift in 0.1 * rng.normal(size=(2, self.system.dim)):
            x = groupoids.move(self.system.groupoid, self.q, jnp.asarray(shift))
            germ = ControlGerm(self.system, x, self.degree, self.connection)
            for degree in {half, self.degree}:
                fields = [p.field for p in symmetric_products(germ, germ.inputs, degree)]
                if not self._ends_at(germ, fields, what, rank):
                    return False
        fields = [p.field for p in self.products if p.degree <= half]
        return self._ends_at(self.germ, fields, what, rank)

    @staticmethod
    def _ends_at(germ: ControlGerm, fields: list[Germ], what: str, rank: int) -> bool:
        """Return whether the closure has this rank, also without the brackets of the last depth."""
        if not what.startswith("Lie"):
            return span(germ, fields).rank == rank
        fields = involutive_closure(germ, fields)
        before = [X for X in fields if X.depth < germ.order]
        return span(germ, fields).rank == rank == span(germ, before).rank

    def _best_test(self, form: QuadraticForm | None, rank: int) -> GoodBad:
        """Apply the test in the given basis and, if it fails, in the basis suggested by the form.

        `rank` is the rank of Sym(Y) to this degree. If Sym(Y) has ended at a rank below the
        dimension of D, the good products need only span Sym(Y).
        """
        m, dim = len(self.germ.inputs), self.germ.dim
        whole = rank if rank < dim and self._settled("Sym(Y)", rank) else dim
        first = good_bad_test(self.germ, np.eye(m), self.degree, self.products, whole=whole)
        if first.passed or form is None or form.basis is None:
            return first
        second = good_bad_test(self.germ, form.basis, self.degree, whole=whole)
        return second if second.passed else first

    def _controllable(
        self, accessible: Verdict, test: GoodBad, form: QuadraticForm | None, configuration: bool
    ) -> Verdict:
        n, m = self.germ.ring.n, len(self.germ.inputs)
        name = "LCA" if configuration else "LA"
        if m == self.germ.dim and accessible:
            return Verdict("yes", f"{name}, and every direction of D_q is actuated")
        if m == 1 and n > 1:
            return Verdict(
                "no", f"one input and dim Q = {n}: STLCC only if dim Q = 1 (Theorem 8.3.1)"
            )
        if accessible.answer == "no":
            return Verdict("no", f"not {name}: {accessible.reason}")
        if accessible and test.passed and test.test_complete:
            given = np.array_equal(test.basis, np.eye(m))
            where = "the inputs" if given else f"the basis {_matrix_text(test.basis)}"
            return Verdict(
                "yes",
                f"{name}, and in {where} no bad product stands in the way (Theorem 8.2.2; good "
                f"products to degree {test.degree} span Sym(Y)_q)",
            )
        decided = self.second.stlcc if configuration else self.second.stlc
        if decided is not None:
            return decided
        if configuration and self.kinematic:
            return Verdict("yes", f"kinematically controllable: {self.kinematic.reason}")
        return Verdict("inconclusive", self._why_open(accessible, test, form, name))

    def _why_open(
        self, accessible: Verdict, test: GoodBad, form: QuadraticForm | None, name: str
    ) -> str:
        if not accessible:
            return f"{name} is not decided: {accessible.reason}"
        if test.passed:
            return (
                f"no bad product up to degree {test.degree} stands in the way, but good ones do "
                "not span Sym(Y)_q yet, or it may grow further; raise the degree"
            )
        bad = test.obstruction
        assert bad is not None
        text = (
            f"the bad product with counts {bad.counts} is no combination of good ones of lower "
            f"degree (part outside {bad.outside:.2e})"
        )
        if form is not None and form.kind in ("definite", "semidefinite"):
            text += (
                f"; S is {form.kind}, but the printed 'only if' (Theorem 8.4.2) does not hold "
                "(E30), and terms of second order do not decide"
            )
        return text + "; the condition is sufficient, not necessary"


def good_bad_test(
    germ: ControlGerm,
    basis: np.ndarray,
    degree: int,
    products: Sequence[FieldProduct] | None = None,
    *,
    whole: int | None = None,
) -> GoodBad:
    """Test Theorem 8.2.2: every bad product is a combination of good ones of lower degree.

    The rows of `basis` are the inputs to test, as combinations of the given inputs. The test is
    complete if the good products of some degree span Sym(Y)_q: all other products lie in it, so bad
    products of higher degree are no obstruction. `whole` is the dimension of Sym(Y)_q if known, by
    default the dimension of D_q.
    """
    whole = germ.dim if whole is None else whole
    if products is None:
        products = symmetric_products(germ, [germ.combined(row) for row in basis], degree)
    for k in range(1, degree + 1):
        lower = [p.field for p in products if p.degree < k and not p.bad]
        columns = germ.columns(lower) if lower else np.zeros((germ.ring.n, 0))
        onto = _orthonormal(columns)
        if onto.shape[1] >= whole:
            return GoodBad(True, True, k - 1, None, basis)
        for p in (p for p in products if p.degree == k and p.bad):
            value = germ.columns([p.field])[:, 0]
            outside = float(np.linalg.norm(value - onto @ (onto.T @ value)))
            if outside > DEPENDENT:
                return GoodBad(False, False, k, BadProduct(p.counts, outside), basis)
    good = germ.columns([p.field for p in products if not p.bad])
    complete = _orthonormal(good).shape[1] >= whole
    return GoodBad(True, complete, degree, None, basis)


def _orthonormal(columns: np.ndarray) -> np.ndarray:
    if not columns.size:
        return columns[:, :0]
    u, s, _ = np.linalg.svd(columns, full_matrices=False)
    return u[:, s > RANK_TOLERANCE * max(s[0], 1e-300)]


def _numbers(x: Sequence[float] | np.ndarray) -> str:
    return ", ".join(f"{float(a):.4g}" for a in x)


def _matrix_text(B: np.ndarray) -> str:
    return "[" + "; ".join(_numbers(row) for row in B) + "]"


__all__ = [
    "BadProduct",
    "Controllability",
    "GoodBad",
    "QuadraticForm",
    "controllability",
    "form_kind",
    "good_bad_test",
    "isotropic_basis",
    "quadratic_form",
]
