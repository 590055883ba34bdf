"""Figures and tables of the literature as experiments that can be run, with verdicts.

    from dalembert import reproduce
    outcome = reproduce.by_name()["f15-fig2"].run(full=False, seed=0)
    [(claim.text, claim.verdict) for claim in outcome.claims]

On the command line: `dalembert reproduce --list | NAME | --all`. One experiment is one short file
of `reproduce/experiments/`, written with the public interface of the library; code that several
experiments share is in `reproduce/helpers/`.
"""

from __future__ import annotations

import importlib

from ..diagnostics import Check
from ..pages import Table
from .experiment_types import Claim, Experiment, Motion, Outcome, Picture, Verdict, experiment

# In the order of the gallery. Results that no source has come first: readers should know them.
_MODULES: dict[str, tuple[str, ...]] = {
    "Beyond the documents": (
        "honest_reversibility",
        "honest_moving_energy",
        "honest_substitution",
        "parasitic_law",
        "method_orders",
        "work_precision",
        "long_run",
        "balancing",
        "gni_optimal_control",
        "contact_friction",
    ),
    "Ferraro, Jiménez, Martín de Diego 2015": (
        "f15_fig1",
        "f15_fig2",
        "f15_fig3_left",
        "f15_fig3_right",
        "f15_fig4",
        "f15_theorems",
        "f15_arxiv",
        "f15_sister",
        "f15_backward",
    ),
    "Ferraro, Iglesias, Martín de Diego 2008": (
        "f08_fig2",
        "f08_snakeboard",
        "f08_fig5",
        "f08_statements",
    ),
    "McLachlan, Perlmutter 2006": (
        "mp_contact_oscillator",
        "mp_fig1",
        "mp_fig2",
        "mp_fig3_4",
        "mp_fig5",
        "mp_fig6",
        "mp_diffusion",
        "mp_maps",
        "mp_rigid_body",
        "mp_exact_flow",
    ),
    "Cortés 2002": (
        "c02_fig7_1_2",
        "c02_fig7_3_4",
        "c02_knife_edge",
        "c02_two_wheeled_robot",
        "c02_general",
        "c02_phases",
        "c02_forms",
        "c02_counterexample",
        "c02_controllability",
        "c02_not_only_if",
        "c02_series",
        "c02_kinematic",
        "c02_fig6_1",
        "c02_fig6_2",
        "c02_cone",
        "c02_impulses",
    ),
}


def groups() -> dict[str, list[Experiment]]:
    """Return the experiments by source."""
    return {group: [_load(name) for name in names] for group, names in _MODULES.items()}


def by_name() -> dict[str, Experiment]:
    """Return the experiments by name."""
    return {found.name: found for group in groups().values() for found in group}


def _load(module: str) -> Experiment:
    (result,) = (
        value
        for value in vars(importlib.import_module(f".experiments.{module}", __name__)).values()
        if isinstance(value, Experiment)
    )
    return result


__all__ = [
    "Check",
    "Claim",
    "Experiment",
    "Motion",
    "Outcome",
    "Picture",
    "Table",
    "Verdict",
    "experiment",
    "by_name",
    "groups",
]
