"""What is made of rows while a run goes on: rows that are saved, statistics, sections.

`sinks` has the row sinks and who feeds all sinks of a run; `reductions` those that save no rows;
`parasitic_mode` the one that watches GNI. The base class `Sink` is in `rows`.
"""
