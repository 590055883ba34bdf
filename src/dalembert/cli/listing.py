"""The lists of systems and methods, printed without JAX.

The lists are stored in `lists.json`. `python docs/lists.py` writes this file anew, and a test
compares it with the classes.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .tables import print_table

_FILE = Path(__file__).with_name("lists.json")


def printed(argv: Sequence[str]) -> bool:
    """Print the list if the command is one of the lists; return whether it was."""
    show = {"systems": print_systems, "methods": print_methods}.get(" ".join(argv))
    if show is None or sys.stdout is None:  # the regular command reports a closed stdout
        return False
    try:
        show(stored()[argv[0]])
        sys.stdout.flush()
    except OSError:  # for example a full disk, which the regular command reports
        return False
    return True


def print_systems(rows: Sequence[Sequence[str]]) -> None:
    """Print one line for each system."""
    print_brief(("name", "what it is"), rows)
    print("\nParameters, equations and references of one: dalembert systems NAME")


def print_brief(heads: tuple[str, str], rows: Sequence[Sequence[str]]) -> None:
    """Print one line for each name, with a sentence cut to the terminal's width (by default 80)."""
    width = shutil.get_terminal_size((80, 24)).columns
    room = max(20, width - 3 - max(len(name) for name, _ in rows))
    print_table(heads, [(name, brief(text, room)) for name, text in rows], width=width)


# Where a sentence may end early: at a comma, or before words that only add to it.
_ENDS = (r"[,;:] | \(", r" (?=(?:at|by|from|in|on|that|under|which|whose|with|without)\b)")


def brief(text: str, room: int) -> str:
    """Return a sentence, or the longest beginning that is one, in at most `room` characters."""
    for ends in _ENDS if len(text) > room else ():
        cuts = [x.start() for x in re.finditer(ends, text) if room / 2 <= x.start() <= room]
        if cuts:  # the last cut, because a shorter beginning says too little
            return text[: cuts[-1]]
    return textwrap.shorten(text, room, placeholder=" ...")


def print_methods(rows: Sequence[Sequence[str]]) -> None:
    """Print one line for each method within 80 columns, the default marked."""
    print_table(("method", "order", "sym.", "for"), rows, right=(1,), width=80)
    print("\n* the default. All traits and references: dalembert methods --all")


def stored() -> dict[str, Any]:
    """Return the lists as they are stored."""
    return json.loads(_FILE.read_text(encoding="utf-8"))


def computed() -> dict[str, Any]:
    """Return the lists from the classes."""
    from ..systems import registry
    from . import showing

    rows = [showing.summary(cls()) for cls in registry.values()]
    return {
        "systems": [[str(x["name"]), str(x["about"])] for x in rows],
        "methods": showing.method_cells(showing.method_rows()),
    }


def write() -> None:
    """Write the lists anew."""
    _FILE.write_text(json.dumps(computed(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
