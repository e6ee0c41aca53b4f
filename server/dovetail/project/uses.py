"""The lines of other files that use the same names: what a project calls, how often, and with which arguments.

A class says which members there are (`members.py`). Which of them are called, how often and with what, other files say:
the lines there that have the same name before a dot, or call what this file imports too. On lines cut behind such a dot
three in ten go on as one of these does. No prompt shows them: n-grams of them stand beside a model
(`decoding/ngram_cache.py`).
"""

from __future__ import annotations

import heapq
import math
import re
from array import array
from collections import Counter, OrderedDict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from dovetail.project.modules import nearness
from dovetail.project.secrets import holds_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet

_MOST_FILES = 32
"""Files whose lines are taken for one document; with a hundred hardly more of them are of use."""

_KEPT = 128
"""Files whose lines are kept."""

MOST_LINES = 48
"""Lines of one name."""

_MOST_TOGETHER = 800
"""Lines of all names of a document."""

_LONGEST = 160
"""Characters of a line; longer ones are tables, or were written by a program."""

# A receiver stands before a dot, or in Lua before the colon of a method that is called.
MEMBER = re.compile(r"(?<![\w.])([^\W\d]\w*)(?:\??\.|:(?=\w+\())([^\W\d]\w*)")
"""A name before a dot, and the member behind it."""

_USED = re.compile(r"(?<![\w.:])([^\W\d]\w*)(?=\??\.[^\W\d]|:\w+\(|\()")
_ITS_OWN = frozenset({"self", "cls", "this", "super"})
"""Names that are another thing in every class."""


def used_names(text: str) -> frozenset[str]:
    r"""Return the names that stand before a dot, or are called.

    >>> sorted(used_names("cart = Cart(self.items)\ncart.add(euros?.cents, cart:sum(2))"))
    ['Cart', 'cart', 'euros']
    """
    return frozenset(_USED.findall(text)) - _ITS_OWN


def wanted_names(text: str, imported: Iterable[str]) -> frozenset[str]:
    """Return the names of a document whose uses elsewhere say something: those before a dot, and imported ones."""
    return (frozenset(name for name, _ in MEMBER.findall(text)) | frozenset(imported)) - _ITS_OWN


def members_in(lines: Iterable[str]) -> dict[str, Counter[str]]:
    """Return how often some lines have each member behind each name.

    >>> members_in(["cart.add(euros.cents)", "cart.add(2)"])
    {'cart': Counter({'add': 2}), 'euros': Counter({'cents': 1})}
    """
    found: dict[str, Counter[str]] = {}
    for line in lines:
        for name, member in MEMBER.findall(line):
            if name not in _ITS_OWN:
                found.setdefault(name, Counter())[member] += 1
    return found


class UsingLine(NamedTuple):
    """A line, without the blanks around it."""

    text: str
    names: frozenset[str]
    """The names that it uses."""


def using_lines(text: str) -> list[UsingLine]:
    r"""Return the lines of a file that use a name.

    >>> [line.text for line in using_lines("  cart = Cart(2)\n\n  x = 1\n  cart.add(Euro.zero)\n")]
    ['cart = Cart(2)', 'cart.add(Euro.zero)']
    """
    lines = (line.strip() for line in text.splitlines() if len(line) <= _LONGEST)
    return [UsingLine(line, names) for line in lines if (names := used_names(line)) and not holds_secret(line)]


class Uses:
    """The files of a workspace by the names that they use."""

    def __init__(self) -> None:
        """Know no file; they are told of with `note`."""
        self._names: dict[str, array[int]] = {}  # file → hashes of names: ten thousand files take some megabytes
        self._lines: OrderedDict[str, list[UsingLine]] = OrderedDict()  # of the files that were read last

    def note(self, path: str, text: str | None) -> None:
        """Take what a file uses, in place of what it used before; without a text it is forgotten."""
        self._lines.pop(path, None)
        names = frozenset[str]() if text is None else used_names(text)
        if names:
            self._names[path] = array("q", map(hash, names))
        else:
            self._names.pop(path, None)

    def read_anew(self) -> None:
        """Read files again when their lines are wanted next: they may have changed, or may not be read any more."""
        self._lines.clear()

    def around(self, names: AbstractSet[str], path: str, read: Callable[[str], str | None]) -> tuple[str, ...]:
        """Return the lines of other files than one with some of its names, those of the files most alike first.

        `read` returns the text of a file, or None if it may not be read.
        """
        counts = dict.fromkeys(names, 0)
        found: list[str] = []
        for line in chain.from_iterable(self._read(other, read) for other in self._most_alike(names, path)):
            shared = [name for name in line.names & names if counts[name] < MOST_LINES]
            if shared:
                found.append(line.text)
                for name in shared:
                    counts[name] += 1
                if len(found) == _MOST_TOGETHER:
                    break
        return tuple(found)

    def _most_alike(self, names: AbstractSet[str], path: str) -> list[str]:
        """Return the files that use most of some names, rare ones first; of equal ones those nearest to a file."""
        wanted = {hash(name) for name in names}
        shared = {
            other: found
            for other, used in self._names.items()
            if other != path and (found := [one for one in used if one in wanted])
        }
        times = Counter(chain.from_iterable(shared.values()))
        worth = {one: math.log(1 + len(self._names) / count) for one, count in times.items()}
        scores = {other: math.fsum(worth[one] for one in found) for other, found in shared.items()}
        return heapq.nsmallest(_MOST_FILES, scores, key=lambda other: (-scores[other], -nearness(other, path), other))

    def _read(self, path: str, read: Callable[[str], str | None]) -> list[UsingLine]:
        lines = self._lines.pop(path, None)
        if lines is None:
            text = read(path)
            lines = [] if text is None else using_lines(text)
        self._lines[path] = lines
        if len(self._lines) > _KEPT:
            self._lines.popitem(last=False)
        return lines
