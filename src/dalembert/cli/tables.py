"""Tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

PIPED = 100  # columns of a table that is written to a file or a pipe


def print_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[int] = (),
    width: int = PIPED,
) -> None:
    """Print a table as wide as the terminal, or of `width` if there is none; long entries wrap."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as Grid

    table = Grid(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for i, head in enumerate(heads):
        table.add_column(head, justify="right" if i in right else "left", no_wrap=i == 0)
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = width
    with console.capture() as capture:
        console.print(table)
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))
