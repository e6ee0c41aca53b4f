"""The imports of a text, as parts of paths; what an import looks like is a fact of the language."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from dovetail.grammar.library import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_REACH = 40_000
"""Characters from the beginning of a text in which imports are looked for."""

_QUOTED = re.compile(r"""["'`]([^"'`\r\n]+)["'`]""")
_PART = re.compile(r"[\w-]+")
_NAME = re.compile(r"(?:\btype[ \t]*[ \t{][ \t]*(?!as\b))?([\w.]+)")


class Import(NamedTuple):
    """One import."""

    parts: tuple[str, ...]
    """The parts of the place that is imported from, the outermost first."""
    names: tuple[str, ...] = ()
    """The names that are imported from there; a name may be a file."""
    up: int | None = None
    """The folders to go up from the file's own before the first part; None if it does not begin there."""
    is_path: bool = False
    """True if the place is a path whose first parts may stand for what is around the project: a module, or an alias."""


def read_imports(text: str, pattern: str) -> list[Import]:
    r"""Return the imports of a text; `pattern` is the fact `imports` of its language.

    >>> python = r"(?:from[ \t]+(?P<source>\S+)[ \t]+)?import\b[ \t]*(?P<names>[^\r\n;#(]+)"
    >>> for each in read_imports("import os.path as p\nfrom ..shop import cart, tax", python):
    ...     print(each.parts, each.names, each.up)
    ('os', 'path') () None
    ('shop',) ('cart', 'tax') 1
    """
    found: dict[Import, None] = {}
    for match in _compiled(pattern).finditer(text, 0, _REACH):
        for each in _read(match):
            found.setdefault(each)
    return list(found)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"^[ \t]*{pattern}", re.MULTILINE)


def _read(match: re.Match[str]) -> Iterator[Import]:
    names = tuple(name.split(".")[-1] for part in match["names"].split(",") if (name := _first_name(part)))
    source = match.groupdict().get("source")
    quoted: list[str] = _QUOTED.findall(match[0])
    if quoted:
        for place in quoted:
            yield _from(place, names)
    elif source:
        yield _from(source, names)
    else:
        for part in match["names"].split(","):
            if name := _first_name(part):
                yield _from(name, ())


def _first_name(part: str) -> str:
    """Return the name of an item in a list of names, without the other name that it is given, and without `type`."""
    name = _NAME.search(part)
    return "" if name is None else name[1]


def _from(place: str, names: tuple[str, ...]) -> Import:
    dots = len(place) - len(place.lstrip("."))
    if "/" not in place:
        return Import(tuple(_PART.findall(place)), names, dots - 1 if dots else None)
    # A path: dots are part of a file's name (`cart.service`), and its ending may be that of what is made of it.
    *folders, file = [part for part in place.split("/") if part.strip(".")] or [""]
    if language_of(file) is not None:
        file = file.rpartition(".")[0]
    # `../../shop` goes up twice, and `..shop` once.
    parts = (*folders, file) if file else ()
    return Import(parts, names, place.count("../")) if dots else Import(parts, names, is_path=True)
