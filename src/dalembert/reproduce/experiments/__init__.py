"""The experiments: one short file each, named after its source and figure.

`reproduce.groups` lists them in the order of the gallery and loads each when it is asked for.
"""
