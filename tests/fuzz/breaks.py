"""Ways in which a document is broken: by chance, and as persons break it while they write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tests.fuzz.mutations import mutated

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


class Break(NamedTuple):
    """One mistake in some lines."""

    kind: str
    at: int
    """The index of the line with the mistake; of the first line drawn if two changed places."""
    lines: list[str]
    """The lines with the mistake."""


STRAY = [
    "if ",
    "for x in ",
    "x = ",
    "self.",
    "print(",
    "return [",
    "def ",
    "class A(",
    "import ",
    "'",
    "x = {",
    "else",
    "@",
]
"""Lines that somebody began to write and left."""


def by_chance(random: Random, lines: list[str]) -> Break:
    """Return lines of which one is changed, repeated, lost, cut off, or exchanged with another one anywhere."""
    at = random.randrange(len(lines))
    change = random.choice(["mutate", "mutate", "mutate", "lose", "repeat", "swap", "end early"])
    lines = list(lines)
    if change == "mutate":
        lines[at] = mutated(random, lines[at])
    elif change == "lose":
        del lines[at]
    elif change == "repeat":
        lines.insert(at, lines[at])
    elif change == "swap":
        other = random.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = lines[at][: random.randrange(len(lines[at]) + 1)].rstrip("\n") + "\n"
    return Break(change, at, lines)


def by_persons(random: Random, lines: list[str]) -> Break:
    """Return lines with one mistake of those in `KINDS`, on a line with content if there is one."""
    places = [at for at, line in enumerate(lines) if line.strip()]
    if not places:
        return Break("nothing", 0, lines)
    while True:
        kind = random.choice(list(KINDS))
        at = random.choice(places)
        changed = KINDS[kind](random, lines, at)
        if changed is not None:
            return Break(kind, at, changed)


def _without(pattern: str) -> Callable[[Random, list[str], int], list[str] | None]:
    """Return a break that loses one text of a pattern; None where the line has none."""

    def change(random: Random, lines: list[str], at: int) -> list[str] | None:
        found = list(re.finditer(pattern, lines[at]))
        if not found:
            return None
        lost = random.choice(found)
        return _with(lines, at, lines[at][: lost.start()] + lines[at][lost.end() :])

    return change


def _with(lines: list[str], at: int, *instead: str) -> list[str]:
    return [*lines[:at], *instead, *lines[at + 1 :]]


def _blanks(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _half_typed(random: Random, lines: list[str], at: int) -> list[str] | None:
    line = lines[at].rstrip()
    first = len(_blanks(line)) + 1
    return _with(lines, at, line[: random.randrange(first, len(line))] + "\n") if first < len(line) else None


def _begun(random: Random, lines: list[str], at: int) -> list[str]:
    return _with(lines, at, f"{_blanks(lines[at])}{random.choice(STRAY)}\n", lines[at])


def _doubled(random: Random, lines: list[str], at: int) -> list[str]:
    line = lines[at]
    place = random.randrange(len(_blanks(line)), len(line.rstrip("\n")))
    return _with(lines, at, line[: place + 1] + line[place:])


def _quote(random: Random, lines: list[str], at: int) -> list[str]:
    line = lines[at]
    place = random.randrange(len(_blanks(line)), len(line.rstrip("\n")) + 1)
    return _with(lines, at, line[:place] + random.choice(["'", '"', '"""']) + line[place:])


def _moved(random: Random, lines: list[str], at: int) -> list[str] | None:
    return _with(_with(lines, at + 1, lines[at]), at, lines[at + 1]) if at + 1 < len(lines) else None


def _indented(random: Random, lines: list[str], at: int) -> list[str] | None:
    if random.random() < 0.5:
        return _with(lines, at, "    " + lines[at])
    return _with(lines, at, lines[at][4:]) if lines[at].startswith("    ") else None


def _conflict(random: Random, lines: list[str], at: int) -> list[str]:
    return _with(lines, at, "<<<<<<< HEAD\n", lines[at], "=======\n", lines[at], ">>>>>>> theirs\n")


KINDS: dict[str, Callable[[Random, list[str], int], list[str] | None]] = {
    "half a line": _half_typed,
    "a line begun": _begun,
    "a line lost": lambda _, lines, at: _with(lines, at),
    "a line repeated": lambda _, lines, at: _with(lines, at, lines[at], lines[at]),
    "a line moved down": _moved,
    "a line in another column": _indented,
    "a closing bracket lost": _without(r"[)\]}]"),
    "an opening bracket lost": _without(r"[(\[{]"),
    "a quote lost": _without(r"\"\"\"|'''|[\"']"),
    "a quote too many": _quote,
    "a character lost": _without(r"\S"),
    "a character twice": _doubled,
    "a colon lost": _without(r":(?=\s*$)"),
    "a word lost": _without(r"\b\w+ ?"),
    "a conflict": _conflict,
}
"""Kind → lines with one such mistake at a line, or None where the line gives no occasion."""
