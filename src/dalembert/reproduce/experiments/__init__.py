"""The experiments: one short file each, named after its source and figure.

`reproduce.groups` lists them in the order of the gallery and imports each on first use.
"""
