"""Write a system with dry friction as C; the state contains which contacts are closed and hold."""

from __future__ import annotations

from ..hybrid.coulomb import LANDS, LIFTS, SINGULAR, SLIPS, STICKS, ContactGuard
from .c_base import entries, flat, point_texts
from .ctext import literal
from .friction_algebra import PSEUDO, RESTS, SOLVE
from .friction_decide import CHOOSE, DECIDE, SETTLE
from .friction_impact import LANDED, STRIKE
from .friction_model import FACTS, FrictionModel
from .friction_text import LOOK, PACE, PARTS, STATE, TYPES
from .hybrid_c import HybridSource
from .hybrid_search import FOLLOW, SEARCH, text
from .hybrid_search import TYPES as NODES
from .hybrid_text import ADVANCE
from .model import TapedFunction

_CODES = {
    14: ("painleve", "Coulomb's law has no solution here, or not one only"),
}
_KINDS = {LANDS: 0, LIFTS: 1, SLIPS: 2, STICKS: 3, SINGULAR: 4}
_MECHANICS = ("G", "rows", "offset", "on", "mu", "restitution")
# Project the velocity onto the constraint, so that the decision does not depend on the method's
# constraint error.
_SETTLE = """    {
        @node on = a;
        const int off = @enter(r, 0, &on, 0, multiplier, &residual);
        if (off && off != @inconsistent) return off;
        memcpy(a.v, on.v, sizeof a.v);
    }
"""
_NAMES = ("LANDS", "LIFTS", "SLIPS", "STICKS", "SINGULAR")


class FrictionSource(HybridSource):
    """Writes the C source and the header of a system with contacts."""

    model: FrictionModel

    def codes(self) -> dict[int, tuple[str, str]]:
        found = super().codes() | _CODES
        found[8] = ("wrong_mode", "a contact is below its surface at the start")
        return found

    def _modes(self) -> list[str]:
        return [f"contacts, {x}" for x in self.model.bits()]

    def _members(self) -> list[str]:
        plan, real = self.model.rough.contact_plan, self.real
        k, g = max(len(plan.contacts), 1), max(len(plan.groups), 1)
        return [
            *super()._members(),
            f"    {real} shut[{k}];  /* 1 if the contact is closed, else 0 */",
            f"    {real} sticks[{g}];  /* 1 if the group holds, else 0 */",
            f"    {real} toward[{2 * g}];  /* direction of a slip when it began */",
            f"    {real} soft[{2 * g}];  /* compliances of rows that share a reaction */",
            f"    {real} most[{g}];  /* the largest slip of two rows so far */",
            f"    {real} awake;  /* 0 if nothing can move */",
            "    int64_t delicate;  /* 1 if slips have just begun; then their first move: */",
            f"    {real} first_t;",
            f"    {real} first_q[{len(self.model.q)}];",
            f"    {real} first_v[{len(self.model.v)}];",
            "    int64_t contacts;  /* bit i: contact i is closed; then a bit for each group */",
        ]

    def _mode_member(self) -> str:
        return "contacts"

    def _signatures(self) -> dict[str, str]:
        found = super()._signatures()
        given = f"_dynamics(const {self.prefix}_state *s, "
        found["dynamics"] = found["dynamics"].replace("_dynamics(", given)
        return found

    def _own(self) -> list[str]:
        plan = self.model.rough.contact_plan
        k, g = len(plan.contacts), len(plan.groups)
        return [
            *(f"c->shut[{i}]" for i in range(k)),
            *(f"c->sticks[{i}]" for i in range(g)),
            *(f"c->toward[{i}]" for i in range(2 * g)),
            *(f"c->soft[{i}]" for i in range(2 * g)),
            "c->awake",
        ]

    def _shared(self) -> str:
        return f"{super()._shared()}, const {self.prefix}_contacts *c"

    def _passed(self) -> str:
        return "r->p, r->u, &c"

    def _prelude(self) -> list[str]:
        return [f"    const {self.prefix}_contacts c = {self.prefix}_contacts_of(r->s);"]

    def _known(self, name: str) -> list[str]:
        made = f"const {self.prefix}_contacts c = {self.prefix}_contacts_of(s);"
        return ["const int64_t mode = 0;", *([made] if name == "dynamics" else [])]

    def _first_mode(self) -> str:
        return ""

    def _types(self) -> str:
        return NODES + TYPES

    def _more_sizes(self) -> dict[str, int]:
        plan = self.model.rough.contact_plan
        k, g = len(plan.contacts), len(plan.groups)
        return {
            "NK": max(k, 1), "NL": max(g, 1), "KINDS": k, "GROUPS": g, "NR": plan.rows,
            "MOVES": int(self.model.rough.has_offset), "REDUNDANT": int(plan.redundant),
            "TWO_ROWS": int(any(len(x.rows) == 2 for x in plan.groups)),
            "ORDER": self.model.each[0].method.traits.order,
            **{name: i for i, name in enumerate(_NAMES)},
        }  # fmt: skip

    def _before(self) -> list[str]:
        """Return the tables of contacts and groups, and functions of them."""
        p, plan = self.prefix, self.model.rough.contact_plan
        every = (x.guard for x in self.model.modes.transitions)
        guards = [x for x in every if isinstance(x, ContactGuard)]
        groups = plan.groups

        def line(name: str, values: list[int]) -> str:
            told = ", ".join(map(str, values or [0]))
            return f"static const int {p}_{name}[{max(len(values), 1)}] = {{{told}}};"

        rows = ", ".join(f"{{{x.rows[0]}, {x.rows[-1]}}}" for x in groups) or "{0, 0}"
        facts = [
            line("load_of", [-1 if x.contact is None else x.contact for x in groups]),
            line("size_of", [len(x.rows) for x in groups]),
            f"static const int {p}_rows_of[{max(len(groups), 1)}][2] = {{{rows}}};",
            line("normals", list(plan.normals)),
            line("kind_of", [_KINDS[x.kind] for x in guards]),
            line("index_of", [x.index for x in guards]),
            f"static const real {p}_REST_SPEED = {literal(self.model.rest_speed, False)};",
        ]
        written = []
        for name, target, words, program in (
            ("facts_at", "facts *f", FACTS, self.model.facts),
            ("held_at", "real *out", ("out",), self.model.held),
            ("mechanics_at", "mechanics *m", _MECHANICS, self.model.mechanics),
            ("ahead_at", "node *b", ("q", "v"), self.model.ahead),
        ):
            kind = f"{p}_{target}" if not target.startswith("real") else target
            lead = "" if name == "held_at" else f"{target.split('*')[-1]}->"
            given = f"const {p}_node *a, " + ("real size, " if name == "ahead_at" else "")
            signature = f"static void {p}_{name}({self._shared()}, {given}{kind})"
            written.append(self._contact_function(name, signature, program, lead, words))
        return ["\n".join(facts), text(p, STATE), *written]

    def _contact_function(
        self, name: str, signature: str, program: TapedFunction, lead: str, words: tuple[str, ...]
    ) -> str:
        outs, results = program.recorded.outputs, program.results
        results = (results,) if name == "held_at" else results
        ends = []
        for word, places in zip(words, results, strict=True):
            at = flat(places)
            index = [""] if word == "minor" else [f"[{i}]" for i in range(len(at))]
            ends += [(f"{lead}{word}{i}", outs[j]) for i, j in zip(index, at, strict=True)]
        if name != "ahead_at":
            return self._written(name, signature, program, point_texts(program), ends)
        t, size, q, v = program.rest
        texts = {int(t): "a->t", int(size): "size", **entries(q, "a->q"), **entries(v, "a->v")}
        return self._written(name, signature, program, texts, ends)

    def _logic(self) -> tuple[str, ...]:
        settles = not self.model.each[0].method.traits.on_constraint
        decide = DECIDE.replace("    @SETTLE_FIRST\n", _SETTLE if settles else "")
        return (
            SOLVE, LOOK, PACE, SEARCH, FOLLOW, PSEUDO, RESTS, CHOOSE, SETTLE, STRIKE, LANDED,
            decide, PARTS, ADVANCE,
        )  # fmt: skip

    def _contacts(self) -> list[str]:
        p = self.prefix
        return [
            f"{p}_stand(s, &a);",
            f"const int found = {p}_state_of_contacts(&r);",
            "if (found) return found;",
        ]
