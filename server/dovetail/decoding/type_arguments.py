"""Type arguments that a text leaves open: `new Box<number` is a comparison to a parser, and hardly one to its author.

No fact about the syntax is needed. Where `>` fits behind the text, `<` may have begun type arguments; whether it
compares, the file says: one that compares without blanks around the sign does so in other lines too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.task import Task

_SIGN = re.compile(r"(?<=[\w$])<(?=[\w$({\[\"'])|(?<![=\-])>|[()\[\]{};]")
"""A sign that opens or closes something; `<` only where it stands right behind a name."""

_CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<"}
_REACH = 4000
"""Characters of each side in which comparisons are looked for."""


def close_type_arguments(task: Task, text: str) -> str:
    """Return a text with the type arguments closed that it leaves open at its end; itself where it leaves none."""
    line = text[max(text.rfind("\n"), text.rfind("\r")) + 1 :]
    count, _ = _open_angles(line)
    longer = text + ">" * count
    if not count or not task.start.accepts(longer):
        return text
    around = f"{task.left[-_REACH:]}\n{task.right[:_REACH]}"
    return text if any(_compares(line) for line in around.splitlines()) else longer


def _compares(line: str) -> bool:
    """Return whether a line has a `<` right behind a name that nothing closes."""
    count, is_compared = _open_angles(line)
    return is_compared or count > 0


def _open_angles(line: str) -> tuple[int, bool]:
    """Return how many `<` are open at the end of a line, with nothing in them, and whether another is never closed.

    >>> _open_angles("a = new Map<string, Array<number")
    (2, False)
    >>> _open_angles("if (i<n) f<T>(")
    (0, True)
    """
    opened: list[str] = []
    is_compared = False
    for sign in _SIGN.findall(line):
        opener = _CLOSERS.get(sign)
        if sign == ";" or (opener is not None and opener != "<"):
            while opened and opened[-1] == "<":
                opened.pop()
                is_compared = True
        if opener is None and sign != ";":
            opened.append(sign)
        elif opener is not None and opened[-1:] == [opener]:
            opened.pop()
    inner = next((place for place, sign in enumerate(reversed(opened)) if sign != "<"), len(opened))
    return inner, is_compared
