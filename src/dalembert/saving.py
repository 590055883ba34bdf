"""What a run saves: `simulate(..., save=saving.Every(10))`.

`Every` saves rows at equal distances, `At` rows at given times, `Final` the last row only. `Stream`
writes rows to a store, and `Statistics`, `Histogram` and `Section` reduce them during the run.
A custom sink derives from `Sink`.
"""

from .rows import Rows, Sink, Start
from .running import At, Every, Final, Histogram, Section, Statistics, Stream

__all__ = [
    "At",
    "Every",
    "Final",
    "Histogram",
    "Rows",
    "Section",
    "Sink",
    "Start",
    "Statistics",
    "Stream",
]
