"""Taylor coefficients of a motion: rules on a tape, their code, and the loop over steps."""
