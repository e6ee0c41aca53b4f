"""Dashed name: a name of several words with `-` between them, which is minus in this language, as `is-open`.

Where a name is declared, no value can be, so the text stops fitting at the sign.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_start, rest_of_line
from dovetail.diagnostics.mistakes.foreign_form import up_to_foreign
from dovetail.diagnostics.reach import fits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.right_side import RightSide

_DASH = "-"
_DASHED = re.compile(r"(?<![\w-])[^\W\d]\w*(?:-\w+)+(?![\w-])")


def find_dashed_name(right: RightSide, read: Sequence[Configuration], text: str, base: int, offset: int) -> Hint | None:
    """Return the hint for a name whose first dash is at an offset, or to which a value is assigned there, else None.

    `read`: the configurations before each character from `base` on. Written as names are in this language, it fits.
    """
    mistakes = right.lexer.compiled.mistakes
    line = text[line_start(text, offset) : offset] + rest_of_line(text, offset)
    begin = line_start(text, offset)
    for found in _DASHED.finditer(line):
        start, end = begin + found.start(), begin + found.end()
        is_alone = not line[: found.start()].strip() and not text[end:offset].strip()
        is_here = offset == start + found.group().index(_DASH) or (is_alone and text.startswith("=", offset))
        if not is_here or start < base or not mistakes.names:
            continue
        meant = joined(mistakes.names, found.group())
        rest = line[found.end() :]
        # Another such name is another mistake.
        rests = (rest, _DASHED.split(rest)[0], up_to_foreign(mistakes, text, end))
        if any(fits(right, read[start - base], meant + rest) for rest in rests):
            words = f"a name has no `{_DASH}`; write `{meant}`"
            return Hint(start, words, Meant(start, end, meant, is_sure=True))
    return None


def joined(kind: str, name: str) -> str:
    """Return a name with dashes in the way in which a language joins words; the name of a type is alike in all.

    >>> joined("camel", "is-open-now"), joined("snake", "is-open-now"), joined("snake", "Open-list")
    ('isOpenNow', 'is_open_now', 'OpenList')
    """
    first, *others = name.split(_DASH)
    if kind == "snake" and not first[0].isupper():
        return "_".join((first, *others))
    return first + "".join(each[:1].upper() + each[1:] for each in others)
