"""Reduction by a symmetry, reconstruction, invariant measures and tori."""

from ...doors import guard as _guard
from .chaplygin_reduction import (
    Chaplygin,
    ReducedSystem,
    TrivializedSystem,
    chaplygin,
    reduced_state,
)
from .cyclic_coordinates import (
    CyclicReduction,
    cyclic_reduction,
)
from .elimination import (
    EliminatedSystem,
    eliminated,
)
from .equivalences import (
    Equivalence,
    Statement,
    almost_symplectic_form,
    almost_symplectic_residual,
    chaplygin_verdicts,
    conformal_residual,
    gyroscopic_form,
    hamel_average,
    parallel_transport,
    rdla_is_variational,
)
from .group_phases import (
    Phases,
    isotropy,
    locked_inertia,
    phases,
    rebuild,
    spatial_momentum,
)
from .last_multiplier import (
    LastIntegral,
    last_integral,
    measure_integral,
)
from .level_system import (
    LevelEmbedding,
    LevelReduction,
    LevelSystem,
    level_embedding,
    level_field,
    level_reduction,
)
from .momentum_levels import (
    LevelBundle,
    LevelTests,
    bracket_jacobiator,
    level_bundle,
    level_energy,
    level_tests,
    level_velocity,
    reduced_bracket,
)
from .momentum_reduction import (
    BodySystem,
    Reduction,
    general_reduction,
)
from .reconstruction import (
    phase,
    reconstruct,
)
from .reduced_measure import (
    Hamiltonization,
    Measure,
    beta,
    divergence,
    hamiltonization,
    invariant_measure,
    reduced_field,
)
from .state_measure import (
    PhaseMeasure,
    phase_measure,
)
from .steady_motion import (
    SteadyMotion,
    TraceTest,
    steady_motions,
    steady_shapes,
    trace_test,
)
from .tori import (
    TorusFrequencies,
    torus_frequencies,
)
from .two_step_reduction import (
    SecondMomentum,
    Stabilizer,
    TwoSteps,
    kinematic_form,
    second_momentum,
    stabilizer,
    two_steps,
)
from .velocity_density import (
    VelocityMeasure,
    velocity_measure,
)

__all__ = [
    "BodySystem",
    "Chaplygin",
    "CyclicReduction",
    "EliminatedSystem",
    "Equivalence",
    "Hamiltonization",
    "LastIntegral",
    "LevelBundle",
    "LevelEmbedding",
    "LevelReduction",
    "LevelSystem",
    "LevelTests",
    "Measure",
    "PhaseMeasure",
    "Phases",
    "ReducedSystem",
    "Reduction",
    "SecondMomentum",
    "Stabilizer",
    "Statement",
    "SteadyMotion",
    "TorusFrequencies",
    "TraceTest",
    "TrivializedSystem",
    "TwoSteps",
    "VelocityMeasure",
    "almost_symplectic_form",
    "almost_symplectic_residual",
    "beta",
    "bracket_jacobiator",
    "chaplygin",
    "chaplygin_verdicts",
    "conformal_residual",
    "cyclic_reduction",
    "divergence",
    "eliminated",
    "general_reduction",
    "gyroscopic_form",
    "hamel_average",
    "hamiltonization",
    "invariant_measure",
    "isotropy",
    "kinematic_form",
    "last_integral",
    "level_bundle",
    "level_embedding",
    "level_energy",
    "level_field",
    "level_reduction",
    "level_tests",
    "level_velocity",
    "locked_inertia",
    "measure_integral",
    "parallel_transport",
    "phase",
    "phase_measure",
    "phases",
    "rdla_is_variational",
    "rebuild",
    "reconstruct",
    "reduced_bracket",
    "reduced_field",
    "reduced_state",
    "second_momentum",
    "spatial_momentum",
    "stabilizer",
    "steady_motions",
    "steady_shapes",
    "torus_frequencies",
    "trace_test",
    "two_steps",
    "velocity_measure",
]

_guard(globals())
