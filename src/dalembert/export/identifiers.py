"""Convert the names of a system to C identifiers; names that cannot be converted are refused."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..errors import UsageError, unknown_name

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
_BETWEEN = re.compile(r"[\s,.\-/:()\[\]]+")  # separators between words, replaced by one _
# Keywords of C99 and C++, and macros of compilers and of the included headers.
_RESERVED = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if
    inline int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while bool true false asm catch class delete explicit export friend
    mutable namespace new operator private protected public template this throw try typename using
    virtual and or not xor NAN INFINITY NULL EOF errno HUGE_VAL HUGE_VALF HUGE_VALL SIZE_MAX
    nullptr wchar_t char16_t char32_t constexpr decltype noexcept alignas alignof typeid
    static_cast dynamic_cast const_cast reinterpret_cast static_assert thread_local compl bitand
    bitor and_eq or_eq not_eq xor_eq
    linux unix i386 M_PI M_PI_2 M_PI_4 M_E M_1_PI M_2_PI M_LN2 M_LN10 M_SQRT2""".split()
)

_MACRO = re.compile(r"(FP_|U?INT(\d|_|MAX|PTR)|MATH_)")  # macros of math.h and stdint.h


class Renamed(dict[str, str]):
    """The argument `names=`, identifiers for labels, with a record of the labels that occur."""

    def __init__(self, names: Mapping[str, str] | None) -> None:
        if names is not None and not isinstance(names, Mapping):
            raise UsageError(f"names is a table, {{'label': 'identifier'}}, got {names!r}")
        for label, word in (names or {}).items():
            if not isinstance(label, str) or not isinstance(word, str):
                raise UsageError(f"names has texts for labels, got {label!r}: {word!r}")
        super().__init__(names or {})
        self.labels: dict[str, None] = {}

    def of(self, label: str) -> str | None:
        """Return the identifier that was given for a label, or None."""
        self.labels[label] = None
        return self.get(label)

    def check_used(self) -> None:
        """Raise `UsageError` for a key of `names=` that is no label of the system."""
        for label in self:
            if label not in self.labels:
                raise unknown_name("label in names=", label, tuple(self.labels))


def identifier(label: str, kind: str, renamed: Renamed) -> str:
    """Return a label as a C identifier; `kind` says in an error what the label names."""
    given = renamed.of(label)
    result = (
        given if given is not None else _BETWEEN.sub("_", label.replace("'", "").strip()).strip("_")
    )
    is_word = result in _RESERVED or _MACRO.match(result) is not None
    if not _IDENTIFIER.match(result) or is_word:
        why = "is a word of C" if is_word else "is no identifier of C"
        raise UsageError(
            f"the {kind} {label!r} {why}" + (f" ({given!r})" if given is not None else ""),
            advice=f"name it: names={{{label!r}: 'x'}}, in letters a-z, digits and _",
        )
    return result


def identifiers(labels: Sequence[str], kind: str, renamed: Renamed) -> list[str]:
    """Return the identifiers of labels in one scope; they must all be different."""
    result = [identifier(label, kind, renamed) for label in labels]
    check_different(labels, result, kind)
    return result


def check_different(labels: Sequence[str], found: Sequence[str], kind: str) -> None:
    """Raise `UsageError` if two labels have one identifier."""
    for i, name in enumerate(found):
        if name in found[:i]:
            first = labels[found.index(name)]
            raise UsageError(
                f"the {kind}s {first!r} and {labels[i]!r} are both written {name} in C",
                advice=f"name one of them: names={{{labels[i]!r}: '{name}_2'}}",
            )
