"""The definitions of imported names, in the files that they are imported from.

Languages differ in how a definition looks. Common to them is that only words, and perhaps the name of something around
it, stand before the name on its line (`def area(`, `export class Area {`, `function M.area(`), and a bracket, a sign or
another word after it. The outermost such line that is no import is taken. A mistake costs a part that is shown for
nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from dovetail.project.search import LONGEST, Found
from dovetail.project.secrets import holds_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dovetail.project.imports import Import
    from dovetail.project.search import Source

MOST_LINES = 10
"""Lines of a definition that are shown: a signature, or the first fields."""

_CLOSERS = tuple(")]}")

_INDENTATION = re.compile(r"[ \t]*")


def names_of(imports: Iterable[Import], left: str) -> list[str]:
    """Return the names that a text imports, those first that stand last in the text before the cursor.

    >>> from dovetail.project.imports import Import
    >>> names_of([Import(("shop",), ("tax", "cart")), Import(("money",), ("Euro",))], "cart = Euro(tax")
    ['tax', 'Euro', 'cart']
    """
    names = dict.fromkeys(name for each in imports for name in each.names)
    return sorted(names, key=lambda name: -left.rfind(name))


def definitions(names: Iterable[str], sources: Sequence[Source], pattern: str) -> dict[str, Found]:
    """Return the definitions of some names in their order, each from the first file that has one, without scores.

    `pattern` is the fact `imports` of the language of all files. Names of fewer than three characters are not found,
    since blocks are not searched by them.
    """
    found: dict[str, Found] = {}
    for name in names:
        for source in sources:
            text = source.defined.get(name)
            if text is None:
                text = source.defined[name] = _definition(name, source, pattern)
            if text:
                found[name] = Found(source.path, text, 0.0)
                break
    return found


def _definition(name: str, source: Source, pattern: str) -> str:
    """Return the first lines of the definition of a name in a file; empty if it has none that may be shown."""
    looks_so, is_import = _line(name), _import(pattern)
    best: tuple[int, int, int] | None = None  # columns before it, its block, its offset there
    for number in source.places.get(name, ()):
        for match in looks_so.finditer(source.blocks[number].text):
            columns = len(match["before"])
            if (best is None or columns < best[0]) and not is_import.match(match.string, match.start()):
                best = columns, number, match.start()
    if best is None:
        return ""
    _, number, start = best
    # Ten lines from anywhere in a block lie in it and the next two, unless edits left short ones.
    text = _head("".join(block.text for block in source.blocks[number : number + 3])[start:])
    return "" if len(text) > LONGEST or holds_secret(text) else text


def _head(text: str) -> str:
    """Return the lines of a text up to the next one that stands as far out as the first, ten at most."""
    lines = text.splitlines(keepends=True)[:MOST_LINES]
    columns = _columns(lines[0])
    for number, line in enumerate(lines):
        if number and line.strip() and _columns(line) <= columns and not line.lstrip().startswith(_CLOSERS):
            del lines[number:]
            break
    while not lines[-1].strip():
        lines.pop()
    return "".join(lines)


def _columns(line: str) -> int:
    found = _INDENTATION.match(line)
    assert found is not None, "it matches nothing too"
    return found.end()


@lru_cache(maxsize=512)
def _line(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"^(?P<before>[ \t]*)(?:\w+\*?[ \t]+){{0,4}}(?:\w+[.:])?{re.escape(name)}"
        r"[ \t]*(?:[(:=\[{<]|[\w*]+[ \t]*[{=(\w])",
        re.MULTILINE,
    )


@lru_cache(maxsize=32)
def _import(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"[ \t]*(?:{pattern})")
