"""Symmetries of a constrained system: invariance, classes, momenta, forms on states."""

from ...doors import guard as _guard
from .body_frames import (
    BodyFrame,
)
from .conserved_momenta import (
    KeptSection,
    Slice,
    body_frame,
    kept_section,
)
from .generators import (
    Invariance,
    Symmetry,
    SymmetryClass,
    admissible_algebra,
    complete_lift,
    invariance,
    require_symmetry,
    structure_constants,
    symmetry_class,
    symmetry_names,
    vertical_lift,
)
from .momentum import (
    Momenta,
    MovingEnergy,
    momenta,
    momentum_equation_residual,
    momentum_map,
    momentum_rate,
    moving_energy,
    section,
    section_defect,
)
from .nonlinear_momentum import (
    ConstrainedMomentum,
    StateAlgebra,
    constrained_momentum,
    state_algebra,
    state_section,
)
from .state_forms import (
    Admissibility,
    FormEvolution,
    StateProjectors,
    SymplecticBundle,
    admissibility,
    form_evolution,
    lagrangian_form,
    state_bracket,
    state_projectors,
    symplectic_bundle,
)
from .subspaces import (
    Characteristic,
    Cocycle,
    SubspaceKind,
    characteristic_distribution,
    coadjoint_cocycle,
    subspace_kind,
)

__all__ = [
    "Admissibility",
    "BodyFrame",
    "Characteristic",
    "Cocycle",
    "ConstrainedMomentum",
    "FormEvolution",
    "Invariance",
    "KeptSection",
    "Momenta",
    "MovingEnergy",
    "Slice",
    "StateAlgebra",
    "StateProjectors",
    "SubspaceKind",
    "Symmetry",
    "SymmetryClass",
    "SymplecticBundle",
    "admissibility",
    "admissible_algebra",
    "body_frame",
    "characteristic_distribution",
    "coadjoint_cocycle",
    "complete_lift",
    "constrained_momentum",
    "form_evolution",
    "invariance",
    "kept_section",
    "lagrangian_form",
    "momenta",
    "momentum_equation_residual",
    "momentum_map",
    "momentum_rate",
    "moving_energy",
    "require_symmetry",
    "section",
    "section_defect",
    "state_algebra",
    "state_bracket",
    "state_projectors",
    "state_section",
    "structure_constants",
    "subspace_kind",
    "symmetry_class",
    "symmetry_names",
    "symplectic_bundle",
    "vertical_lift",
]

_guard(globals())
