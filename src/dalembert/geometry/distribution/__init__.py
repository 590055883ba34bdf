"""The constraint distribution: rank, growth, connections, curvature and brackets."""

from ...doors import guard as _guard
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
    noether_tests,
    nonholonomic_bracket,
    nonholonomic_christoffel,
    rate_of_change,
    symmetric_product,
    torsion,
)
from .cotangent import CotangentSplitting, cotangent_splitting
from .curvature import (
    contorsion,
    curvature_tensor,
    metric_connection,
    sectional_curvature,
)
from .growth_flag import (
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
    largest_frobenius_residual,
    local_frame,
    sample_states,
)
from .least_constraint import (
    GaussTest,
    gauss_principle,
)
from .time_dependent import (
    at_time,
)

__all__ = [
    "CotangentSplitting",
    "cotangent_splitting",
    "GaussTest",
    "Growth",
    "Noether",
    "Rank",
    "States",
    "adapted_basis",
    "at_time",
    "bracket_matrix",
    "christoffel",
    "constraint_rank",
    "contorsion",
    "covariant_derivative",
    "curvature_tensor",
    "degree_of_nonholonomy",
    "differential",
    "frobenius_residual",
    "gauss_principle",
    "geodesic_defect",
    "growth",
    "growth_vector",
    "is_geodesically_invariant",
    "is_integrable",
    "jacobiator",
    "largest_frobenius_residual",
    "lie_bracket",
    "local_frame",
    "metric_connection",
    "metric_defect",
    "noether_test",
    "noether_tests",
    "nonholonomic_bracket",
    "nonholonomic_christoffel",
    "rate_of_change",
    "sample_states",
    "sectional_curvature",
    "symmetric_product",
    "torsion",
]

_guard(globals())
