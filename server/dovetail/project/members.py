"""The names that a dot can open, all of them: of an imported class with its bases, or of an imported file.

A list for a model to read has to be short (`outlines.py`). This one is not read: it says which words may follow, so
that a model chooses among the members that there are, and how often other files use each behind the same name
(`decoding/member_names.py`). A name too many does little harm.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from dovetail.decoding.repository import Members
from dovetail.decoding.signature import CLASS as NEW
from dovetail.decoding.signature import PROPERTY, UNKNOWN
from dovetail.project.imports import read_imports
from dovetail.project.outlines import CLASS, OUTERMOST, at_first_level, is_file
from dovetail.project.signatures import properties_of, signature_in
from dovetail.project.uses import MEMBER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dovetail.project.search import Source

MOST_RECEIVERS = 24
"""Names before a dot whose members are looked up, at most."""

_MOST = 400
"""Members of one name."""

_BASES = 3
"""Classes above a class whose members are its own too, one above the other."""

_CONSTRUCTORS = frozenset({"__init__", "constructor"})

_LONGEST = 400
"""Characters of a definition's first line, with those that its brackets need."""

_REACH = 20_000
"""Characters before the cursor, and after it, that are looked at."""

_MODIFIERS = frozenset(
    {"abstract", "async", "class", "const", "declare", "def", "enum", "export", "final", "func", "function", "get"}
    | {"interface", "let", "local", "override", "private", "protected", "public", "readonly", "set", "static", "type"}
    | {"var", "return", "if", "for", "while", "else", "try", "with", "pass", "raise"}
)
_NAMED = re.compile(r"(?:\w+\*?[ \t]+){0,4}?(?:\w+[.:](?=\w))?(\w+)[ \t]*[(:=\[{<?!;,]")
_FIRST = re.compile(r"\w+")
_OWN = re.compile(r"(?<![\w.])(?:self|this)\.(\w+)[ \t]*(?::[^=\n]+)?=(?!=)")
_OUTSIDE = r"^(?:func \(\w+[ \t]+\*?%s\)[ \t]*|(?:local )?function %s[.:]|%s[.:])(\w+)"
_MADE = re.compile(
    r"(?<![\w.])(\w+)[ \t]*(?:\??:[ \t]*[\"']?(?:\w+\.)*(\w+)"
    r"|:?=[ \t]*(?:(?:new|await)[ \t]+)?&?(?:\w+\.)*(\w+)[ \t]*[({])"
)


def members_around(
    left: str,
    right: str,
    names: Sequence[str],
    sources: Sequence[Source],
    pattern: str,
    elsewhere: Mapping[str, Mapping[str, int]],
) -> tuple[Members, ...]:
    """Return the members of what may stand before a dot: imported names, and variables made from them.

    `names` are the imported names, `pattern` is the fact `imports` of the language of all files. `elsewhere` is how
    often other files have each member behind a name (`uses.py`); names that are known by this alone are there too.
    Functions that are imported are the members of an empty receiver.
    """
    receivers: dict[str, str] = {}
    imported = frozenset(names)
    # From one key to the next only the line of the cursor changes.
    line = left.rfind("\n") + 1
    above = left[left.rfind("\n", 0, max(0, line - _REACH)) + 1 : line]
    for name, kind in (*_made_in(above), *_made_in(left[line:])):
        if kind in imported and name not in imported:
            receivers.pop(name, None)
            receivers[name] = kind
    # The variables that were made last, and the names that were used last.
    chosen = dict([*reversed(receivers.items())][:MOST_RECEIVERS])
    for name in names[: MOST_RECEIVERS - len(chosen)]:
        chosen.setdefault(name, name)
    known = {receiver: its for receiver, kind in chosen.items() if (its := members_of(kind, sources, pattern))}
    before = (*_used_in(above), *MEMBER.findall(left[line:]))
    used = (receiver for receiver in (*(one for one, _ in reversed(before)), *names) if receiver in elsewhere)
    found = {receiver: dict(known.get(receiver, {})) for receiver in (*known, *used)}
    found = dict([*found.items()][:MOST_RECEIVERS])
    # What the file itself names behind the dot is a member, whatever its definition looks like.
    rest = right.find("\n")
    beside, below = (right, "") if rest < 0 else (right[:rest], right[rest : rest + _REACH])
    for receiver, member in (*before, *MEMBER.findall(beside), *_used_in(below)):
        if receiver in found:
            found[receiver].setdefault(member, UNKNOWN)
    for receiver, members in found.items():
        for member in elsewhere.get(receiver, ()):
            members.setdefault(member, UNKNOWN)
    called = _called(names, sources, pattern)
    return tuple(
        Members(
            receiver,
            tuple(members),
            _times(members, elsewhere.get(receiver, {})),
            receiver in known,
            tuple(members.values()) if receiver in known else (),
        )
        for receiver, members in found.items()
    ) + (() if not called else (Members("", tuple(called), (), is_whole=False, signatures=tuple(called.values())),))


def _called(names: Sequence[str], sources: Sequence[Source], pattern: str) -> dict[str, str]:
    """Return the signatures of the functions among the imported names that were used last."""
    known = [outermost_of(source, pattern) for source in sources]
    found = ((name, next((each[name] for each in known if name in each), UNKNOWN)) for name in names[:MOST_RECEIVERS])
    return {name: signature for name, signature in found if signature}


@lru_cache(maxsize=8)
def _made_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return the variables that are made or given a type in some lines, and the name of the type, in their order."""
    return tuple((match[1], match[2] or match[3]) for match in _MADE.finditer(text))


@lru_cache(maxsize=16)
def _used_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return the names before a dot in some lines, and the members behind it, in their order."""
    return tuple(MEMBER.findall(text))


def _times(members: Iterable[str], used: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(used.get(member, 0) for member in members) if used else ()


def members_of(name: str, sources: Sequence[Source], pattern: str) -> Mapping[str, str]:
    """Return the members of the first class of a name, or of the files that go by it, and their signatures.

    None are found if there is no such class or file, nor for names of fewer than three characters, since files are not
    searched by them.
    """
    of_files: dict[str, str] = {}
    for source in sources:
        if name not in source.places and not is_file(name, source.path):
            continue
        known = source.members.get(name)
        if known is None:
            known = source.members[name] = _first_of_each(_of_class(name, source, sources, _BASES))
        if known:
            return known
        if is_file(name, source.path):
            for member, signature in outermost_of(source, pattern).items():
                of_files.setdefault(member, signature)
    return dict(islice(of_files.items(), _MOST))


def outermost_of(source: Source, pattern: str) -> Mapping[str, str]:
    """Return what a file defines outermost, or imports, and the signatures."""
    known = source.members.get("")
    if known is None:
        known = source.members[""] = _first_of_each(_of_file(source, pattern))
    return known


def _first_of_each(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    known: dict[str, str] = {}
    for member, signature in found:
        if not known.get(member) and (member in known or len(known) < _MOST):
            known[member] = signature
    return known


def _of_class(name: str, source: Source, sources: Iterable[Source], bases: int) -> Iterator[tuple[str, str]]:
    """Yield the members of a class of a file, if it is there, with signatures; `bases` classes above it count."""
    text = "".join(block.text for block in source.blocks)
    found = next((match for match in CLASS.finditer(text) if match["name"] == name), None)
    if found is None:
        return
    lines = text[found.start() :].splitlines()
    columns = len(found["before"].expandtabs())
    body = list(_body(lines, columns))
    properties = properties_of("\n".join(body))
    for line in at_first_level(lines[1:], columns, _LONGEST):
        is_class = CLASS.match(line) is not None
        for member in _names(line):
            yield member, PROPERTY if member in properties else UNKNOWN if is_class else signature_in(line, member)
    for member in _OWN.findall("\n".join(body)):
        yield member, UNKNOWN
    word = re.escape(name)
    for match in re.finditer(_OUTSIDE % (word, word, word), text, re.MULTILINE):
        yield match[1], signature_in(text[match.start(1) :].partition("\n")[0], match[1])
    header = lines[0].partition(name)[2]
    for base in re.findall(r"\w+", header) if bases else ():
        for other in (source, *sources):
            if base != name and base in other.places:
                yield from _of_class(base, other, sources, bases - 1)


def _of_file(source: Source, pattern: str) -> Iterator[tuple[str, str]]:
    """Yield what a file defines outermost, with signatures, and the names that it imports."""
    text = "".join(block.text for block in source.blocks)
    for line in at_first_level(text.splitlines(), -1, _LONGEST):
        if OUTERMOST.match(line):
            is_class = CLASS.match(line) is not None
            for member in _names(line):
                yield member, _of_constructor(member, source) if is_class else signature_in(line, member)
    for each in read_imports(text, pattern):
        for member in each.names:
            yield member, UNKNOWN


def _of_constructor(name: str, source: Source) -> str:
    """Return the signature of a class of a file, if it has a constructor of its own."""
    for member, signature in _of_class(name, source, (), 0):
        if member in _CONSTRUCTORS and signature:
            return NEW + signature
    return UNKNOWN


def _body(lines: Sequence[str], columns: int) -> Iterator[str]:
    """Yield the lines below the first one that stand deeper than a column, up to the next that does not."""
    for line in lines[1:]:
        bare = line.expandtabs()
        if (
            bare.strip()
            and len(bare) - len(bare.lstrip()) <= columns
            and not bare.lstrip().startswith((")", "]", "}", "{"))
        ):
            return
        yield line


def _names(line: str) -> Iterator[str]:
    """Yield the names that a line may declare.

    >>> lines = "async def total(self):", "Items []Item", "readonly name: string", "type Cart struct {"
    >>> [list(_names(line)) for line in lines]
    [['total'], ['Items'], ['name'], ['Cart']]
    """
    line = line.strip()
    kind = CLASS.match(line)
    if kind is not None:
        yield kind["name"]
        return
    found = _NAMED.match(line)
    if found is not None and found[1] not in _MODIFIERS:
        yield found[1]
    first = _FIRST.match(line)
    if first is not None and first[0] not in _MODIFIERS and (found is None or found[1] != first[0]):
        yield first[0]
