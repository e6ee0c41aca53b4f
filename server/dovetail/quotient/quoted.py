"""Quoted text: a lexeme in the words of a message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_OPENER = re.compile(r"(`?)([a-z]+)[\"']+(`?)", re.IGNORECASE)


def quoted(text: str) -> str:
    """Return a text in backticks; one that holds a backtick itself in other words.

    >>> quoted("["), quoted("`")
    ('`[`', 'a backtick')
    """
    if text == "`":
        return "a backtick"
    return f'"{text}"' if "`" in text else f"`{text}`"


def without_variants(names: Iterable[str]) -> list[str]:
    """Return names without those that open the same kind of text as another one: in other quotes, or raw.

    >>> without_variants(["`if`", '`f"`', "`f'`", '`fR"`', '`t"`', "`(`"])
    ['`if`', '`f"`', '`t"`', '`(`']
    """
    kept: dict[str, str] = {}
    for name in dict.fromkeys(names):
        found = _OPENER.fullmatch(name)
        kind = name if found is None else found[1] + found[2].lower().replace("r", "")
        if kind not in kept or (len(name), name) < (len(kept[kind]), kept[kind]):
            kept[kind] = name
    return list(kept.values())
