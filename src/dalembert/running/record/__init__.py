"""Sinks and watches, which receive the rows of a run: saved rows, statistics, sections, warnings.

`sinks` has the sinks that save rows, and the code that feeds all sinks of a run. `reductions` has
sinks that save no rows. `parasitic_mode` is the sink that watches GNI. The base class `Sink` is in
`rows`.
"""
