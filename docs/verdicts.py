"""Write docs/verdicts.md: every verdict of the geometry on every system of the zoo.

python docs/verdicts.py                                      all systems, into the page
python docs/verdicts.py --limit 600 --jobs 8                 longer for each, in 8 processes
python docs/verdicts.py --missing                            only those without an answer so far
python docs/verdicts.py snakeboard "chaplygin-ball, Theta 0"   these only, to standard output

Each answer is saved in verdicts.json as soon as it is there: a run that ends early (--total)
is continued by --missing. The page is written from that file and names the systems that have no
answer yet. Both files go into this folder, or into the one that --out names.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import sys
import time
import traceback
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import wait

import numpy as np

import dalembert as da
from dalembert import geometry
from dalembert.dynamics import linear_offset
from dalembert.pages import Table

FOLDER = pathlib.Path(__file__).parent
LIMIT = 600.0  # seconds for one system
SLOW = ("whipple-bicycle", "car-with-trailers", "snakeboard", "two-wheeled-robot")  # go first


class Pulled(da.systems.ParticleWithoutMeasure):
    """With a potential no measure is excluded."""

    def potential(self, q):
        return 0.5 * q[0] ** 2


class Dragged(da.systems.NonholonomicParticle):
    """With friction no theorem of these applies."""

    def force(self, t, q, v):
        return -0.1 * v


# beside those of the zoo with their own parameters: answers that only these show
VARIANTS = {
    "nonholonomic-particle, stiffness 1": lambda: da.systems.NonholonomicParticle(stiffness=1.0),
    "nonholonomic-particle, drag": Dragged,
    "particle-without-measure, spring": Pulled,
    "chaplygin-ball, Theta 0": lambda: da.systems.ChaplyginBall(Theta=0.0),
}
EVERY = da.systems.registry | VARIANTS
ANSWERS = ("yes", "no", "does not apply", "inconclusive")
PARTLY = "in part"  # what is none of these: "locally", or of some generators only
# what is asked, and which findings of `analyze` answer it
QUESTIONS = {
    "integrable constraint": ("constraint", "integrable"),
    "homogeneous constraint": ("constraint", "homogeneous"),
    "energy kept": ("conserved", "energy"),
    "invariant measure": ("reduction", "invariant measure"),
    "Hamiltonian in a new time (5.10)": ("reduction", "Hamiltonian"),
    "Prop. 5.1.3": ("reduction", "Hamel connections metric (Prop. 5.1.3)"),
    "Prop. 5.1.4": ("reduction", "projected connection the average (Prop. 5.1.4)"),
    "Cor. 5.3.2": ("reduction", "gyroscopic one-form zero (Cor. 5.3.2)"),
    "Prop. 5.4.2": ("reduction", "gyroscopic two-form closed (Prop. 5.4.2)"),
    "Thm 7.5.4": ("reduction", "midpoint RDLA variational (Thm 7.5.4)"),
}
MEASURED = "Thm 5.4.1"  # of `measure_integral`
SYMMETRY = ("class", "momenta kept", "two steps", "kept with factors", "U nondegenerate")
MEANS = {"conformal": "yes", "locally conformal": "locally", "hamiltonian": "yes",
         "not found": "no", "locally": "locally"}  # fmt: skip


# answers by question, rows of its symmetries, reasons
Found = tuple[dict[str, str], list[tuple[str, ...]], list[str]]


def short(verdict: str) -> str:
    """One of the answers, or what stands before the colon."""
    head = verdict.split(":")[0].split(" (")[0]
    return MEANS.get(head, head)


def of_system(system: da.System, label: str) -> Found:
    """All answers for one system."""
    answered = geometry.analyze(system)
    found = {(f.section, f.quantity): f.verdict for f in answered.findings}
    answers, reasons = {}, []
    whole = found.get(("reduction", "Chaplygin"), "none declared")
    for question, key in QUESTIONS.items():
        verdict = found.get(key)
        if verdict is None and key[0] == "reduction":
            why = whole.removeprefix("does not apply: ")
            verdict = (
                f"does not apply: {'no reduction is declared' if why == 'none declared' else why}"
            )
        elif verdict is None:
            verdict = "does not apply: constraint linear in v" if system.is_constrained else (
                "does not apply: no constraint")  # fmt: skip
            if key[1] == "integrable" and system.is_nonlinear:
                verdict = "does not apply: constraint not linear in v"
            if key[1] == "homogeneous" and system.is_constrained:
                verdict = "yes" if _stands_still(system) else "no"
        answers[question] = short(verdict)
        if answers[question] in ANSWERS[2:]:
            reasons.append(f"{question}: {verdict}")
    verdict = of_measure(system)
    answers[MEASURED] = short(verdict)
    if answers[MEASURED] in ANSWERS[2:]:
        reasons.append(f"{MEASURED}: {verdict}")
    rows = []
    for name in geometry.symmetry_names(system):
        kind = found.get(("symmetry", name), "")
        kept = found.get(("symmetry", f"momenta of {name}"), "does not apply: no momentum")
        steps = found.get(("symmetry", f"two steps by {name}"), "does not apply: not general")
        section, bundle = of_symmetry(system, name, kind)
        rows.append((label, name, kind.split(":")[0], kept_answer(kept), short(steps),
                     short(section), short(bundle)))  # fmt: skip
        for what, text in (("two steps", steps), ("factors", section), ("U", bundle)):
            if text.startswith(("inconclusive", "does not apply: ")) and "not general" not in text:
                reasons.append(f"{name}, {what}: {text}")
    return answers, rows, reasons


def _stands_still(system: da.System) -> bool:
    """Whether A(q) v = b has b = 0: with these numbers, at its start and some time later."""
    q = system.initial()[0]
    return not any(np.any(linear_offset(system, t, q)) for t in (0.0, 0.7, 1.9))


def kept_answer(verdict: str) -> str:
    """yes if all momenta are constant."""
    if " of " in verdict and "constant" in verdict and not verdict.startswith("inconclusive"):
        return "yes"
    return short(verdict)


def of_symmetry(system: da.System, name: str, kind: str) -> tuple[str, str]:
    """Whether a momentum of g^q is kept up to a factor, and whether U carries a regular form."""
    symmetry = geometry.Symmetry.of(system, name)
    bundle = "does not apply: broken, or the constraint is not A(q) v = 0"
    if kind and kind != "broken" and not (system.is_nonlinear or system.has_offset):
        try:
            q, v = system.initial()
            found = geometry.symplectic_bundle(system, symmetry, q, v)
            bundle = "yes" if found.nondegenerate else "no"
        except da.UsageError as error:
            bundle = f"does not apply: {error}"
    section = f"does not apply: {kind or 'not invariant'}"
    if kind.startswith(("general", "horizontal")):
        try:
            section = str_of(geometry.kept_section(geometry.body_frame(system, symmetry)))
        except da.UsageError as error:
            section = f"does not apply: {error}"
    return section, bundle


def str_of(found: geometry.KeptSection | geometry.LastIntegral) -> str:
    """The verdict, with its reason."""
    return f"{found.verdict}: {found.reason}" if found.reason else found.verdict


def of_measure(system: da.System) -> str:
    """Whether the invariant measure of the declared reduction gives an integral."""
    split = system.chaplygin_split
    if split is None:
        return "does not apply: no reduction is declared"
    try:
        shape, group, circles = split
        reduced = geometry.chaplygin(system, shape, group, circles=circles)
        return str_of(geometry.measure_integral(reduced))
    except da.UsageError as error:
        return f"does not apply: {error}"


def measured(name: str) -> Found:
    """`of_system` by name."""
    try:
        return of_system(EVERY[name](), name)
    except da.UsageError as error:
        return nothing("does not apply", str(error))
    except Exception:  # one system that breaks must not take the page with it
        traceback.print_exc()
        return nothing("inconclusive", "an error that is no answer; see the log")


def nothing(answer: str, why: str) -> Found:
    """The same answer to all questions."""
    return dict.fromkeys((*QUESTIONS, MEASURED), answer), [], [f"all: {answer}: {why}"]


def _work(name: str, pipe) -> None:
    pipe.send(measured(name))
    pipe.close()


def in_processes(
    names: list[str], jobs: int, limit: float, total: float, save: Callable[[str, Found], None]
) -> None:
    """Each system in a process of its own, `jobs` at a time, each at most `limit` seconds long.

    After `total` seconds the remaining ones are given up. `save` receives each answer.
    """
    context = get_context("spawn")
    waiting, running, done = sorted(names, key=lambda n: n not in SLOW), {}, 0
    began = time.monotonic()
    while waiting or running:
        over = time.monotonic() - began > total
        while waiting and len(running) < jobs and not over:
            name = waiting.pop(0)
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(name, theirs), daemon=True)
            process.start()
            theirs.close()
            running[ours] = name, process, time.monotonic()
        ready = wait(list(running), timeout=1.0)
        for pipe, (name, process, start) in list(running.items()):
            took = time.monotonic() - start
            if pipe in ready:
                try:
                    save(name, pipe.recv())
                except EOFError:  # it died without a word
                    print(f"{name}: the process ended without an answer", file=sys.stderr)
            elif took > limit or over:
                process.kill()
                print(f"{name}: no answer within {took:.0f} s", file=sys.stderr)
            else:
                continue
            process.join()
            pipe.close()
            del running[pipe]
            done += 1
            told = f"{done} of {len(names)}, {name}: {took:.0f} s"
            print(f"[{time.monotonic() - began:4.0f} s] {told}", file=sys.stderr, flush=True)
        if over and not running:
            return


class Answers:
    """The answers so far, by system, in a file that is written anew with each."""

    def __init__(self, path: pathlib.Path | None) -> None:
        self.path = path
        self.found: dict[str, Found] = {}
        if path is not None and path.exists():
            for name, (answers, rows, reasons) in json.loads(path.read_text("utf-8")).items():
                if name in EVERY and tuple(answers) == (*QUESTIONS, MEASURED):
                    self.found[name] = answers, [tuple(row) for row in rows], reasons

    def save(self, name: str, answer: Found) -> None:
        self.found[name] = answer
        if self.path is not None:
            text = json.dumps({n: self.found[n] for n in EVERY if n in self.found}, indent=1)
            self.path.write_text(text + "\n", encoding="utf-8")


def page(by_name: dict[str, Found], missing: list[str]) -> str:
    """The page for these systems."""
    heads = ("yes", "no", PARTLY, *ANSWERS[2:])
    counts = {q: dict.fromkeys(heads, 0) for q in (*QUESTIONS, MEASURED, *SYMMETRY[1:])}
    names = list(by_name)
    found = [by_name[name] for name in names]
    table = [(name, *answers.values()) for name, (answers, _, _) in zip(names, found)]
    symmetries = [row for _, rows, _ in found for row in rows]
    # the same reason is told once, and with what it answers, unless that is the whole reduction
    by_reason: dict[str, list[str]] = {}
    whole = [q for q, key in QUESTIONS.items() if key[0] == "reduction"] + [MEASURED]
    for name, (_, _, reasons) in zip(names, found):
        grouped: dict[str, list[str]] = {}
        for text in reasons:
            question, why = text.split(": ", 1)
            grouped.setdefault(why, []).append(question)
        for why, questions in grouped.items():
            about = "" if questions == whole else f" ({'; '.join(questions)})"
            by_reason.setdefault(why, []).append(f"`{name}`{about}")
    given = [(q, a) for answers, _, _ in found for q, a in answers.items()]
    given += [(q, a) for row in symmetries for q, a in zip(SYMMETRY[1:], row[3:])]
    for question, answer in given:
        counts[question][answer if answer in ANSWERS else PARTLY] += 1
    summary = [(q, *c.values()) for q, c in counts.items()]
    notes = [f"* {why}: {', '.join(where)}" for why, where in by_reason.items()]
    parts = [
        "# Verdicts on the zoo",
        "Written by `python docs/verdicts.py`. Every verdict of "
        "`geometry.analyze`, of `kept_section`, `measure_integral` and `symplectic_bundle` on "
        "every system, with its default parameters unless others are named, near its default "
        "initial data. They rest on samples of states: numerical evidence, not proofs. "
        '"Does not apply" and "inconclusive" have their reasons below.'
        + (f"\n\nNot on this page yet: {', '.join(f'`{n}`' for n in missing)}." if missing else ""),
        "## How often each answer was given",
        Table(("question", *heads), summary, align="lrrrrr").markdown(),
        "## Systems",
        Table(("system", *QUESTIONS, MEASURED), table, align="l" * (2 + len(QUESTIONS))).markdown(),
        "## Symmetries",
        Table(("system", "symmetry", *SYMMETRY), symmetries, align="l" * 7).markdown(),
        "## Reasons",
        "\n".join(notes) or "None.",
    ]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="systems; all if none is named")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for one system")
    parser.add_argument("--total", type=float, default=float("inf"), help="seconds for all of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--missing", action="store_true", help="only systems without an answer")
    parser.add_argument("--out", type=pathlib.Path, default=FOLDER, help="folder of both files")
    ask = parser.parse_args()
    if unknown := set(ask.names) - set(EVERY):
        parser.error(f"no such system: {', '.join(sorted(unknown))}; see `dalembert systems`")
    if ask.names:
        answers, names = Answers(None), ask.names
    else:
        answers = Answers(FOLDER / "verdicts.json")
        answers.path = ask.out / "verdicts.json"
        names = [n for n in EVERY if not (ask.missing and n in answers.found)]
    in_processes(names, ask.jobs, ask.limit, ask.total, answers.save)
    wanted = ask.names or list(EVERY)
    known = {n: answers.found[n] for n in wanted if n in answers.found}
    text = page(known, [n for n in wanted if n not in known])
    if ask.names:
        print(text)
    else:
        (ask.out / "verdicts.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
