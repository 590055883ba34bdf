"""The geometry beside the integrators: constraints, connection, bracket, symmetry, momentum.

Functions of a system and a point or a field, by automatic differentiation; fields are functions
of q. Signs and errata follow the conventions of [C02] as corrected in docs/notation.md.

    from dalembert import geometry
    geometry.growth_vector(system, q)
    geometry.symmetry_class(system, geometry.Symmetry.of(system, "se2"))
"""

from .connection import (
    Noether,
    bracket_matrix,
    christoffel,
    covariant_derivative,
    differential,
    geodesic_defect,
    is_geodesically_invariant,
    jacobiator,
    lie_bracket,
    metric_defect,
    noether_test,
    nonholonomic_bracket,
    nonholonomic_christoffel,
    rate_of_change,
    symmetric_product,
    torsion,
)
from .distribution import (
    Growth,
    Rank,
    States,
    adapted_basis,
    constraint_rank,
    degree_of_nonholonomy,
    frobenius_residual,
    growth,
    growth_vector,
    is_integrable,
    local_frame,
    sample_states,
)
from .momentum import (
    DiscreteMomentum,
    MomentumBalance,
    MovingEnergy,
    discrete_momentum,
    momentum_balance,
    momentum_equation_residual,
    momentum_map,
    momentum_rate,
    moving_energy,
    section,
    section_defect,
)
from .symmetry import (
    Invariance,
    Symmetry,
    SymmetryClass,
    admissible_algebra,
    invariance,
    require_symmetry,
    structure_constants,
    symmetry_class,
    symmetry_names,
)

# The block below belongs to Chaplygin reduction and invariant measures; see their modules.
# (imports of .reduction, .reconstruction, .cyclic and .measure)

__all__ = [
    "DiscreteMomentum",
    "Growth",
    "Invariance",
    "MomentumBalance",
    "MovingEnergy",
    "Noether",
    "Rank",
    "States",
    "Symmetry",
    "SymmetryClass",
    "adapted_basis",
    "admissible_algebra",
    "bracket_matrix",
    "christoffel",
    "constraint_rank",
    "covariant_derivative",
    "degree_of_nonholonomy",
    "differential",
    "discrete_momentum",
    "frobenius_residual",
    "geodesic_defect",
    "growth",
    "growth_vector",
    "invariance",
    "is_geodesically_invariant",
    "is_integrable",
    "jacobiator",
    "lie_bracket",
    "local_frame",
    "metric_defect",
    "momentum_balance",
    "momentum_equation_residual",
    "momentum_map",
    "momentum_rate",
    "moving_energy",
    "noether_test",
    "nonholonomic_bracket",
    "nonholonomic_christoffel",
    "rate_of_change",
    "require_symmetry",
    "sample_states",
    "section",
    "section_defect",
    "structure_constants",
    "symmetric_product",
    "symmetry_class",
    "symmetry_names",
    "torsion",
]
