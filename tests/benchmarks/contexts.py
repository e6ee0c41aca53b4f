"""Real texts of given sizes with a cursor somewhere around their middle."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from tests.fuzz.places import CUTS
from tests.fuzz.sources import LIBRARY, files, program
from tests.oracles.cpython import parses

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MIDDLE = 120
"""Characters between left and right that the benchmark writes again."""

KINDS = ("anywhere", *(kind for kind in CUTS if kind != "at an end"))
"""The places of the cursor; contexts take them in turn."""

_WINDOW = 20_000  # characters around the middle in which a place is looked for
_TREE = 8  # times as long as a program is its tree
_ONE_FILE = 100_000  # characters; few files have as many, so larger texts are several files one after the other


@dataclass(frozen=True)
class Context:
    """A program in three parts."""

    source: str
    kind: str
    """The place of the cursor."""
    left: str
    middle: str
    right: str

    @property
    def text(self) -> str:
        """The whole program."""
        return self.left + self.middle + self.right


def contexts(size: int, count: int, seed: int = 1) -> list[Context]:
    """Return `count` programs of about `size` characters, each of other files; a seed fixes them."""
    random = Random(f"{seed}/{size}")
    candidates = list(files())
    random.shuffle(candidates)
    texts = _single(size, candidates, random) if size < _ONE_FILE else _joined(size, candidates)
    return [
        _cut(random, source, text, KINDS[number % len(KINDS)])
        for number, (source, text) in enumerate(islice(texts, count))
    ]


def amid(context: Context, size: int, seed: int = 1) -> Context:
    """Return the same cursor in a program of about `size` characters: the context with as much before it as after."""
    program = contexts(size // 2, 1, seed + 1)[0].text
    left, right = (part if part.endswith("\n") else part + "\n" for part in (program, context.right))
    return Context(context.source, context.kind, left + context.left, context.middle, right + program)


def json_contexts(size: int, count: int, seed: int = 1) -> list[Context]:
    """Return JSON texts of about `size` characters: the syntax trees of Python programs."""
    found: list[Context] = []
    for context in contexts(size // _TREE, count, seed):
        text = json.dumps(_plain(ast.parse(context.text)), indent=1)
        at = len(text) // 2
        found.append(Context(context.source, "anywhere", text[:at], text[at : at + MIDDLE], text[at + MIDDLE :]))
    return found


def _plain(value: object) -> object:
    if isinstance(value, ast.AST):
        return {"node": type(value).__name__, **{name: _plain(part) for name, part in ast.iter_fields(value)}}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)


def _single(size: int, candidates: list[Path], random: Random) -> Iterator[tuple[str, str]]:
    """Yield runs of top-level statements, each of another file."""
    for path in candidates:
        known = program(path)
        if known is None or len(known[0]) < size:
            continue
        text, offsets = known
        ends = [*offsets[1:], len(text)]
        spans = [(low, high) for low in offsets for high in ends if 0.9 * size <= high - low <= 1.15 * size]
        if spans:
            low, high = random.choice(spans)
            if parses(text[low:high]):
                yield path.relative_to(LIBRARY).as_posix(), text[low:high]


def _joined(size: int, candidates: list[Path]) -> Iterator[tuple[str, str]]:
    """Yield programs of whole files one after the other, the last one cut at a top-level statement."""
    source, text = "", ""
    for path in candidates:
        known = program(path)
        if known is None:
            continue
        source = source or path.relative_to(LIBRARY).as_posix()
        more, offsets = known
        room = size - len(text)
        if len(more) > room:
            more = more[: max((offset for offset in offsets if offset <= room), default=0)]
        # An import from the future may not follow others: for the compiler that is an error, for the grammar not.
        text += more if more.endswith("\n") or not more else more + "\n"
        if len(text) >= 0.9 * size:
            if parses(text):
                yield source, text
            source, text = "", ""


def _cut(random: Random, source: str, text: str, kind: str) -> Context:
    """Return a program with the cursor at a place of a kind, or anywhere where there is no such place."""
    span = min(len(text) // 3, _WINDOW)
    low = text.rfind("\n", 0, (len(text) - span) // 2) + 1
    window = text[low : low + span]
    found = CUTS[kind](random, window) if kind in CUTS else None
    at = low + (found[0] if found is not None else random.randrange(max(len(window), 1)))
    kind = kind if found is not None else "anywhere"
    return Context(source, kind, text[:at], text[at : at + MIDDLE], text[at + MIDDLE :])
