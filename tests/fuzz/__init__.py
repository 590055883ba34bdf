"""Scripts that try what nobody would write down; `make test` runs a small seed of each."""
