"""Assigned key: `a = 1` for `a: 1` in an object that goes over several lines.

In JavaScript the braces are those of a pattern then, and `1` is a default, so the text stops fitting at the first value
below that no pattern has, or behind the braces.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.flaw import MIRRORED, OPENERS, closer_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_BRACE, _CLOSER, _COMMA, _COLON, _END = "{", "}", ",", ":", ";"
_KEY = re.compile(r"\s*((?:[\w$]+|\"[^\"\r\n]*\"|'[^'\r\n]*')[ \t]*)=(?![=>])")
_TAKES_APART = re.compile(r"\}[^\r\n]*(?:=>|=(?!=))")
"""The end of a pattern, whose names may have defaults."""
_TARGET = re.compile(r"\}[\]})\s]*(?:=>|=(?!=))")
"""The end of a pattern, and of all around it."""
_PATTERN = "{a = 1}"
"""A text that fits only where braces may be those of a pattern, and what their names are is not in doubt."""
_MOST = 3
"""The most objects around a fault that are looked at, from the innermost on."""


class _Object(NamedTuple):
    """The braces of an object, or of a pattern."""

    opener: int
    keys: list[re.Match[str]]
    """The keys that `=` follows, before a place."""


def find_assigned_key(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the first `=` behind a key, above the line of a fault at an offset; None if none explains it.

    On the line itself too, if the object begins there, and a semicolon ends a part of it.
    With a colon in the place of each such sign of the object, the line of the fault fits, and perhaps the next one.
    """
    is_end = text.startswith(_END, offset)
    is_inside = is_end and not text.endswith(_CLOSER, 0, len(text[:offset].rstrip()))
    begin = line_start(text, offset)
    around = [
        each
        for each in _objects(right.lexer, text, offset)
        if each.keys
        and (each.keys[0].end() <= begin or (is_inside and _is_of_line(right.lexer, text, each.opener, offset)))
        and not _is_pattern(right.lexer, text, each.opener)
    ][:_MOST]
    # Objects in one another may all have such keys.
    groups = [around[::-1]] if len(around) > 1 else []
    for group in (*groups, *([each] for each in around)):
        keys = [key for each in group for key in each.keys]
        first = keys[0].end() - 1
        at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:first])
        signs = {key.end() - 1 for key in keys}
        stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
        made = ["".join(_COLON if place in signs else text[place] for place in range(first, stop)) for stop in stops]
        if is_end:
            # In a pattern neither: it is another mistake, for a comma.
            made.append("".join(_COLON if place in signs else text[place] for place in range(first, offset)) + _COMMA)
        if at is None or not any(_fits(right, at, each, is_whole=offset == len(text)) for each in made):
            continue
        key = keys[0][1]
        words = f"`{key}=` does not fit here; write `{key.rstrip()}{_COLON}`"
        return Hint(keys[0].start(1), words, Meant(first, first + 1, _COLON, is_sure=True))
    return None


def find_assigned_keys_of_line(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for all `=` behind keys on the line of a fault at an offset; None if they do not explain it.

    As in a list of objects, `[{ a = 1 }, { b = 2 }]`, whose braces may be those of patterns up to the end of the list.
    """
    begin, stop = line_start(text, offset), line_end(text, offset)
    openers: list[int] = []
    closers: list[int] = []
    keys: list[re.Match[str]] = []
    # As far as the line goes on, there may be more of them.
    objects = [each for each in _objects(right.lexer, text, stop, begin) if each.keys and each.opener >= begin]
    for each in objects:
        closer = closer_of(right.lexer, text, each.opener)
        if closer is None or closer >= stop:
            return None
        if not _TARGET.match(text, closer):
            openers.append(each.opener)
            closers.append(closer)
            keys += each.keys
    if not keys:
        return None
    keys.sort(key=lambda key: key.start())
    first, end = min(openers), max(closers) + 1
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:first])
    made = text[first:end]
    for key in reversed(keys):
        name = key.start(1) + len(key[1].rstrip()) - first
        made = f"{made[:name]}{_COLON}{made[key.end() - first :]}"
    if at is None or not fits(right, at, _PATTERN) or not fits(right, at, f"{made}{text[end:stop]}\n"):
        return None
    words = "keys need `:` before their values" if len(keys) > 1 else "a key needs `:` before its value"
    return Hint(first, f"{words}; write {quoted(made)}", Meant(first, end, made, is_sure=True))


def find_assigned_keys_before_bracket(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for all `=` behind keys of braces on the line of another bracket that does not close them.

    As in `f({ a = 1 )};`: the bracket is another mistake, which hides this one. None for anything else.
    """
    if text[offset : offset + 1] not in OPENERS or text[offset] == _CLOSER:
        return None
    inner = next(iter(_objects(right.lexer, text, offset)), None)
    if inner is None or not inner.keys or inner.opener < line_start(text, offset):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[: inner.opener])
    signs = [key.end() - 1 for key in inner.keys]
    made = "".join(_COLON if place in signs else text[place] for place in range(inner.opener, offset))
    end = _CLOSER + text[offset]
    if at is None or not fits(right, at, made + end) or fits(right, at, text[inner.opener : offset] + end):
        return None
    key = inner.keys[0][1]
    words = f"`{key}=` does not fit here; write `{key.rstrip()}{_COLON}`"
    start, stop = signs[0], signs[-1] + 1
    meant = Meant(start, stop, made[start - inner.opener : stop - inner.opener], is_sure=True)
    return Hint(inner.keys[0].start(1), words, meant)


def _is_of_line(lexer: Lexer, text: str, opener: int, offset: int) -> bool:
    """Return whether the braces that open at an offset stand on the line of another one, both of them."""
    closer = closer_of(lexer, text, opener)
    return opener >= line_start(text, offset) and closer is not None and closer < line_end(text, offset)


def _objects(lexer: Lexer, text: str, offset: int, begin: int | None = None) -> list[_Object]:
    """Return the braces that are open at an offset, or that close right before it, the innermost first.

    `begin`: an offset behind which all that have closed count, too; None where only the last ones do.
    """
    opened: list[_Object] = []
    closed: list[_Object] = []
    for start, end, terminal, _, _ in lexemes(lexer, text[:offset]):
        if not text[start:end].strip():
            continue
        sign = "" if terminal is None else text[start:end]
        closed = [] if begin is None else closed
        if sign in MIRRORED:
            opened.append(_Object(start, []))
        elif sign in OPENERS and opened:
            closed = [opened.pop(), *closed]
        if sign in (_BRACE, _COMMA) and opened and text[opened[-1].opener] == _BRACE:
            key = _KEY.match(text, end, offset)
            if key is not None:
                opened[-1].keys.append(key)
    return [*closed, *reversed(opened)]


def _fits(right: RightSide, at: Configuration, text: str, *, is_whole: bool) -> bool:
    """Return whether lines fit after a configuration; at the end of the text they have to end a program."""
    if not is_whole:
        return fits(right, at, f"{text}\n")
    after = at.read(right.lexer, right.stacks, text)
    return after is not None and right.recognizer.accepting(after)


def _is_pattern(lexer: Lexer, text: str, opener: int) -> bool:
    """Return whether what stands behind the braces that open at an offset tells that they are those of a pattern."""
    closer = closer_of(lexer, text, opener)
    return closer is not None and _TAKES_APART.match(text, closer) is not None
