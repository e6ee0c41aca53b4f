"""Least repair: one lexeme put in, taken out or exchanged at a fault, with which most of the text fits.

It is for what no known mistake explains. Of all repairs of one lexeme those count after which the text goes on
furthest, as in Corchuelo et al., "Repairing syntax errors in LR parsers" (2002), and in Diekmann and Tratt, "Don't
panic!" (2020). If only one does, it is what was meant, perhaps. If several do, none is named, and what follows from the
mistake is known all the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.change import Change, Mend, Tried, mended, named
from dovetail.diagnostics.flaw import MIRRORED, find_flaw
from dovetail.diagnostics.line_places import content_after, content_at, content_end, line_end, line_start
from dovetail.diagnostics.mends.confused_sign import UNLIKELY, is_likely, rank
from dovetail.diagnostics.reach import find_reach, fits
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.diagnostics.fault import Fault
    from dovetail.grammar.mistakes import Mistakes
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_MOST_BEFORE = 2
"""The most lexemes before a fault that may be the mistake."""
_MOST_TRIED = 24
"""The most repairs that are followed to where the text stops fitting."""
_FAR = 20_000
"""The most characters behind a fault that are read."""
_TAKES_IN = re.compile(r"[\"'`#]|//|/\*|--|\[\[|\[=")
"""The beginnings of strings and comments, in which any text fits."""
_JOINED = "* 0"
"""A sign that stands behind values alone, and a value."""
_LIST = re.compile(r"; (?:perhaps an? (?:`[^`]+`|operator) is missing before it|expected .*)\Z")
"""The end of a message that says nothing of its own."""
_STATEMENT = "0"
"""The shortest statement."""
_CLOSERS = frozenset(MIRRORED.values())
_BRACKETS = frozenset({*MIRRORED, *_CLOSERS})
_SIGNS = re.compile(r"[^\w\s\"'`()\[\]{}]{2,3}")
_GLUED = re.compile(r"[^\w\s,;:]+[,;:]")
"""A sign that does not fit, and one right behind it that ends something else, as in `f(a, **, b)`."""
_WORD = re.compile(r"[^\W\d]\w+")
_LAST_WORD = re.compile(r"(\w+)[ \t]*\Z")
_LEXEME = re.compile(r"\w+|\"[^\"\r\n]*\"|'[^'\r\n]*'|\S")


class _Suspect(NamedTuple):
    """A lexeme that may be the mistake, and the configuration before it."""

    start: int
    end: int
    at: Configuration


def mend_least(machine: Machine, text: str, fault: Fault, other: Mend | None) -> Mend | None:
    """Return the mend of one lexeme after which more of a text fits than after another mend; None if there is none.

    A mend with words of its own is better, unless all of the text fits with another bracket instead. Where as much
    fits, only a sign that is easily written for another one counts.
    """
    is_listed = _LIST.search(fault.reported.message) is not None
    is_plain = other is None or (is_listed and other.fault is fault and fault.meant is None)
    if not text[fault.offset :].strip():
        return None  # At the end anything that goes on would fit, and after it something else would be missing.
    if not is_listed and (machine.compiled.layout is not None if other is None else other.reach > len(text)):
        return None  # Where columns have a meaning, recovery knows best what is left of a bracket that is never closed.
    right = read_right(machine, machine.stacks(), "")
    tried = _tried(right, text, fault)
    furthest = max((each.reach for each in tried), default=0)
    least = -1 if other is None else other.reach
    if furthest < least or furthest < _next_line_end(machine.lexer, text, fault.offset):
        return None
    best = [each.change for each in tried if each.reach == furthest]
    mistakes = machine.compiled.mistakes
    meant = _meant(mistakes, text, best) if is_listed or not is_plain else None
    is_confused = meant is not None and is_listed and rank(mistakes, text, meant) < UNLIKELY
    is_bracket = meant is not None and furthest > len(text) and text[meant.start : meant.end] in MIRRORED
    if not is_confused and (furthest == least or (not is_plain and not is_bracket)):
        return None
    if meant is not None and not (meant.sign.isspace() and _GLUED.fullmatch(text, meant.start, meant.end)):
        fault = _advised(text, fault, meant)
    return mended(fault, text, Tried(best[0] if meant is None else meant, furthest))


def _tried(right: RightSide, text: str, fault: Fault) -> list[Tried]:
    """Return the repairs with which the text fits beyond the line of a fault, and how far."""
    stop = _next_line_end(right.lexer, text, fault.offset)
    kept = [
        (change, place)
        for place in _places(right, text, fault)
        for change in _repairs(right, text, fault, place)
        if fits(right, place.at, change.sign + text[change.end : stop])
    ]
    kept.sort(key=lambda each: rank(right.lexer.compiled.mistakes, text, each[0]))
    found: list[Tried] = []
    for change, place in kept[:_MOST_TRIED]:
        rest = change.sign + text[change.end : change.end + _FAR]
        reach = change.end - len(change.sign) + find_reach(right, place.at, rest)
        is_word = text[change.start : change.end].isalpha() and change.sign.strip().isalpha()
        # Another word, as `try` for `else`, may only begin what then lacks its end.
        if not is_word or (reach != len(text) and not _lacks_end(right, text, change, place.at, reach)):
            found.append(Tried(change, reach))
    return found


def _lacks_end(right: RightSide, text: str, change: Change, at: Configuration, reach: int) -> bool:
    """Return whether no statement may stand on the line up to which a text fits, so that one above is not finished.

    `at`: the configuration before the change. Only columns tell it.
    """
    start = line_start(text, min(reach, len(text)))
    begin = content_at(text, start)
    if right.lexer.compiled.layout is None or start < change.end or reach > begin:
        return False
    return not fits(right, at, f"{change.sign}{text[change.end : begin]}{_STATEMENT}\n")


def _next_line_end(lexer: Lexer, text: str, offset: int) -> int:
    """Return the end of the next line after an offset that is neither blank nor a comment."""
    comment = lexer.compiled.comment
    start = content_after(text, offset)
    while comment and text.startswith(comment, start):
        start = content_after(text, start)
    return line_end(text, start)


def _places(right: RightSide, text: str, fault: Fault) -> list[_Suspect]:
    """Return the lexeme at a fault and those before it, the nearest first, and the bracket around them.

    Signs side by side are one: of `a::b` and `a->b` only the second does not fit. Before the first word of the line
    another one may be lost.
    """
    offset = fault.offset
    read = list(lexemes(right.lexer, text[: line_end(text, offset)]))
    # Of a word that no lexeme is, what is left behind its first letters is none either.
    halves = {each.end for each in read if each.terminal is None and text[each.start].isalpha()}
    seen = [
        (each.start, each.end)
        for each in read
        if each.start <= offset and text[each.start : each.end].strip() and each.start not in halves
    ]
    begin = content_at(text, line_start(text, offset))
    found = {(start, end) for start, end in seen[-_MOST_BEFORE - 1 :]}
    if text[offset : offset + 1] in ("", "\r", "\n"):
        end = content_end(text, offset)
        found.add((end, end))
    found |= {each.span() for each in _SIGNS.finditer(text, begin) if each.start() <= offset < each.end()}
    opened = find_flaw(right.lexer, text[:offset])
    if opened is not None and opened.is_open and text[opened.offset] in MIRRORED:
        found.add((opened.offset, opened.offset + 1))
    if begin < offset:
        found.add((begin, begin))
    opener = _opener_before(text, seen, offset)
    if opener is not None:
        found.add((opener, opener))
    places: list[_Suspect] = []
    at: Configuration | None = Configuration((right.stacks.bottom,), right.lexer.start)
    begun = 0
    for start, end in sorted(found):
        at = None if at is None else at.read(right.lexer, right.stacks, text[begun:start])
        if at is None:
            break
        begun = start
        places.append(_Suspect(start, end, at))
    return places[::-1]


def _opener_before(text: str, seen: list[tuple[int, int]], offset: int) -> int | None:
    """Return the offset of the bracket whose end stands right before an offset; None if there is none.

    Before the parameters of `f(a (b) => b)` a comma may be lost.
    """
    opened: list[int] = []
    last = None
    for start, end in seen:
        if end > offset:
            break
        last = None
        if text[start:end] in MIRRORED:
            opened.append(start)
        elif text[start:end] in _CLOSERS and opened:
            last = opened.pop()
    return last


def _repairs(right: RightSide, text: str, fault: Fault, place: _Suspect) -> Iterator[Change]:
    """Yield the repairs at a lexeme: without it, and with each other one in its place or before it.

    Brackets, and words that open or close blocks, take the place of their like alone: with another one more of a text
    fits because it belongs elsewhere.
    """
    start, end, at = place
    written = text[start:end]
    is_above = start < line_start(text, fault.offset)
    mistakes = right.lexer.compiled.mistakes
    blocks = {*mistakes.closed_by, *mistakes.closed_by.values(), *mistakes.goes_on}
    before = _LAST_WORD.search(text, 0, start)
    if written == "," and before is not None and before[1] in mistakes.closed_by.values():
        return  # The block is an entry of a table: what does not fit is another one's end.
    if written and not is_above and written not in _BRACKETS and written not in blocks:
        yield Change(start, end, " ")
    if is_above and written == ",":
        yield Change(start, end, ";")  # The statement ends there: what follows on the next line is another one.
        return
    for each in right.expecting.on_this_line(at):
        sign = each.text.strip()
        if not sign or _TAKES_IN.search(sign) or sign in blocks or "\\" in sign:
            continue
        is_same_side = (sign in MIRRORED, sign in _CLOSERS) == (written in MIRRORED, written in _CLOSERS)
        # Of all values that may be lost, the one that is written as a sign is the least likely.
        is_value = not sign[0].isalnum() and fits(right, at, f"{sign} {_JOINED}")
        if not is_above and _BRACKETS.isdisjoint(sign) and not is_value:
            yield Change(start, start, f"{sign} ")
        # No sign is written for a word of several letters: `and` for `&&` is a mistake that descriptions name.
        is_alike = not _WORD.fullmatch(written) or sign[0].isalpha()
        if written and sign != written and each.name == quoted(sign) and is_same_side and is_alike:
            yield Change(start, end, f"{sign} ")


def _meant(mistakes: Mistakes, text: str, best: list[Change]) -> Change | None:
    """Return the one of the best repairs that is likelier than all others; None if none is, and for a lost value."""
    likely = [each for each in best if is_likely(mistakes, text, each)]
    least = min((rank(mistakes, text, each) for each in likely), default=UNLIKELY)
    likeliest = [each for each in likely if rank(mistakes, text, each) == least]
    is_value = likeliest[:1] != [] and likeliest[0].sign[:1].isdigit()  # Nobody knows which value is lost.
    return likeliest[0] if len(likeliest) == 1 and not is_value else None


def _advised(text: str, fault: Fault, change: Change) -> Fault:
    """Return a fault whose message says what was meant."""
    sign, written = change.sign.strip(), text[change.start : change.end]
    if not written and not text[change.start : line_end(text, change.start)].strip():
        return named(fault, text, change.start, f"expected {quoted(sign)} at the end of this line")
    word = _LEXEME.match(text, change.start)
    misfit = f"{quoted(written or ('' if word is None else word.group()))} does not fit here"
    if not sign:
        words = f"{misfit}; leave it out"
    elif written:
        words = f"{misfit}; perhaps it should be {quoted(sign)}"
    else:
        words = f"{misfit}; perhaps {'an' if sign[0] in 'aeiou' else 'a'} {quoted(sign)} is missing before it"
    return named(fault, text, change.start, words)
