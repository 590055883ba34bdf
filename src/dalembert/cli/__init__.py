"""The command line: `dalembert systems | methods | run | view | studio | compare | ...`.

A user's mistake gives one message on stderr and exit code 2, a run that fails gives exit code 1; a
traceback is a bug. Heavy modules are imported only by the command that needs them: the lists of
systems and methods are printed without JAX (`listing`), all else is in `commands`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from . import listing


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 success, 1 a run failed, 2 wrong usage."""
    if listing.printed(sys.argv[1:] if argv is None else argv):
        return 0
    import jax

    jax.config.update("jax_enable_x64", True)  # the package has left it out for the lists
    from . import commands

    return commands.run(argv)


__all__ = ["main"]
