"""Closer columns: which bracket is lost or too many above one that closes nothing, by the columns of their lines.

A closing bracket that begins a line closes what the line above it in its column opens. Where that one is closed
already, the bracket that closes it stands at the wrong place, or belongs to a line further up that opens nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.change import Change, best_change, mended, named
from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of, closer_of, find_flaw
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.mends.bracket_changes import LAST_WORD
from dovetail.diagnostics.mends.whole_label import is_whole_label
from dovetail.diagnostics.mistakes.lost_brace import header_of
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import line_and_column, words_of_lost_line
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.right_side import read_right

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Mend, Tried
    from dovetail.diagnostics.fault import Fault
    from dovetail.quotient.machine import Machine

_ENDED = frozenset(";},")
"""The last signs of lines that are whole, so that the line that opens a block is lost below them."""
_CLOSERS = re.compile(r"[)\]}]+")
_BLANK_LINES = re.compile(r"(?:\r\n|\r(?!\n)|(?<!\r)\n)[ \t]*(?:\r\n|\r|\n)\s*")
_HEADERS = ("", "=> ", "a() ", "() => ")
"""Texts that may stand before the brace of a block: nothing, or the least that makes the header of one."""
_KEYS = ("a: ", "a: a")
"""Texts that may stand before the bracket of a value in an object: a key, and a type of the value with it."""
_NAME = "a"
_VARIABLE = f"{_NAME} = "
"""The least that may stand before the bracket of a value that is assigned."""
_CONDITIONS = ("", f"{_NAME} ", f"({_NAME}) ")
"""Texts that may stand between the word of a header and its brace."""
_ARROW = "=>"
_LABEL_END = ":"
_WORD = re.compile(r"[^\W\d]\w*")
_CALLED = re.compile(r"((?:[^\W\d]\w*[ \t]+)*[^\W\d]\w*)[ \t]*[(<]")
"""The beginning of a line with a name, perhaps behind words, and the bracket behind it."""
_ASSIGNED = "="
_WORD_ALONE = re.compile(r"[ \t]*(?:\}[ \t]*)?\w+")
"""A line that is a word, perhaps behind the end of a block."""
_BRANCH = re.compile(r"[ \t]*(?P<brace>\})[ \t]*(?=[^\W\d])")
"""The end of a block before a word with which it goes on."""
_BREAK = re.compile(r"[\r\n]")
_MOST_ABOVE = 600
"""The most lines above a bracket in which the line further to the left is looked for."""
_MOST_STEPS = 40
"""The most brackets that are looked at."""
_MOST_PARTS = 12
"""The most lines below which one may be lost."""
_MOST_WITH_WORDS = 3
"""The most lines before which each word of the language is tried."""


class _Culprit(NamedTuple):
    """A bracket that is too many, or the end of a line at which one is lost, or below which a line is."""

    offset: int
    closer: int
    """The offset of the bracket that closes what is lost; that of the culprit itself if it is too many."""


def mend_by_columns(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for what lies above the first bracket that closes nothing; None if columns do not tell it."""
    if not machine.brackets.has_blocks:
        return None
    flaw = find_flaw(machine.lexer, text)
    if flaw is None or not flaw.is_stray:
        return None
    branch = _above_branch(machine, text, fault)
    if branch is not None:
        return branch
    first = content_at(text, line_start(text, flaw.offset))
    culprit = _culprit(machine, text, first) if text[first] in OPENERS else None
    if culprit is None or culprit.offset > max(fault.offset, fault.reported.offset):
        return None
    place, closer = culprit
    if place == closer:
        best = best_change(machine, text, [Change(place, place + 1, " ")], flaw.offset)
        words = f"`{text[place]}` is one too many"
        return None if best is None else mended(named(fault, text, place, words), text, best)
    found = None
    is_deeper = place > 0 and line_column(text, closer) > line_column(text, place - 1)
    is_ended = not place or text[place - 1] in _ENDED or (is_deeper and _is_label(machine, text, place))
    is_ended = is_ended or is_whole_label(machine, text, place) or _is_block_end(machine, text, place)
    if not is_ended and text[place - 1] not in MIRRORED:
        run = _CLOSERS.match(text, closer)
        # What closes more brackets has lost more than one.
        least = flaw.offset if run is None else max(flaw.offset, run.end() - 1)
        found = _opened_at_end(machine, text, fault, culprit, least)
    elif text[:place].endswith("(") and text[closer] == ")":
        found = _opened_twice(machine, text, fault, culprit, flaw.offset)
    if found is None and text[flaw.offset] == ")" and text[closer] != ")":
        found = _called(machine, text, fault, place, flaw.offset)
    return found or _line_above(machine, text, fault, culprit, flaw.offset)


def _is_label(machine: Machine, text: str, place: int) -> bool:
    """Return whether the line that ends at a place is a label, as `case 1:`, below which statements stand."""
    word = _WORD.match(text, content_at(text, line_start(text, place)))
    return word is not None and word.group() in machine.compiled.labels and text.endswith(_LABEL_END, 0, place)


def _is_block_end(machine: Machine, text: str, place: int) -> bool:
    """Return whether the line that ends at a place is a word that ends a block."""
    word = text[content_at(text, line_start(text, place)) : place]
    return word in machine.compiled.mistakes.closed_by.values()


def _is_overload(machine: Machine, text: str, place: int) -> bool:
    """Return whether the line that ends at a place may be whole, and begins as a call does, of the word above."""
    begin = content_at(text, line_start(text, place))
    called, above = _CALLED.match(text, begin), _CALLED.match(text, _content_above(text, line_start(text, begin)))
    if called is None or above is None or called[1] != above[1]:
        return False
    right = read_right(machine, machine.stacks(), "")
    at = Configuration((right.stacks.bottom,), machine.lexer.start)
    ends = "".join(MIRRORED[sign] for _, sign in reversed(brackets_of(machine.lexer, text[:place]).opened))
    return fits(right, at, f"{text[:place]}\n{ends}\n")


def _above_branch(machine: Machine, text: str, fault: Fault) -> Mend | None:
    """Return the mend for a line that is lost above a block which goes on at a fault, as with `} else {`; else None.

    Where the word does not fit, brackets behind it may not be read as such.
    """
    start = line_start(text, fault.offset)
    branch = _BRANCH.match(text, start)
    if branch is None or fault.offset not in (branch.start("brace"), branch.end()):
        return None
    culprit = _culprit(machine, text, branch.start("brace"))
    is_lost = culprit is not None and culprit.closer == branch.start("brace") and text[culprit.offset - 1] in _ENDED
    return _line_above(machine, text, fault, culprit, line_end(text, fault.offset)) if culprit and is_lost else None


def _opened_at_end(machine: Machine, text: str, fault: Fault, culprit: _Culprit, least: int) -> Mend | None:
    """Return the mend that opens a bracket at the end of a line."""
    place, closer = culprit
    opener = OPENERS[text[closer]]
    headers = _HEADERS[:1] if machine.compiled.mistakes.closed_by else _HEADERS  # No brace opens a block.
    changes = [Change(place, place, f" {each}{opener}") for each in headers] if opener == "{" else []
    best = best_change(machine, text, changes or [Change(place, place, opener)], least)
    if best is None:
        return None
    header = best.change.sign.strip()
    name = f"a name and `{header.removeprefix(_NAME)}`" if header.startswith(_NAME) else f"`{header}`"
    words = f"expected {name} at the end of this line"
    if header == opener and (_is_label(machine, text, place) or _is_overload(machine, text, place)):
        # Below a label, and below a method's type, the line of the block may be another one.
        words += f", or a line that ends with `{opener}` below it"
    if header.startswith(_ARROW) and _WORD_ALONE.fullmatch(text, line_start(text, place), place):
        # A word that begins a statement is not meant for a parameter.
        line, _ = line_and_column(text, closer)
        words = f"perhaps `{opener}` is missing on this line, for `{text[closer]}` on line {line} closes nothing"
    return mended(named(fault, text, place, words), text, best)


def _opened_twice(machine: Machine, text: str, fault: Fault, culprit: _Culprit, least: int) -> Mend | None:
    """Return the mend for a line that opens one parenthesis and is closed by two, as `rows.map(` above `))}`."""
    place, closer = culprit
    called = LAST_WORD.search(text, 0, place - 1)
    is_call = called is not None and called.group() not in machine.compiled.literals
    if _BREAK.search(text, closer, least) or not is_call:
        return None
    best = best_change(machine, text, [Change(place, place, "(")], least)
    if best is None:
        return None
    line, _ = line_and_column(text, closer)
    words = f"expected `(` at the end of this line, for `)` on line {line} closes nothing"
    return mended(named(fault, text, place, words), text, best)


def _called(machine: Machine, text: str, fault: Fault, place: int, least: int) -> Mend | None:
    """Return the mend for the bracket of a call that is lost on the line that ends at a place."""
    if text[:least].rstrip().endswith(")"):
        return None  # It was written twice.
    if text[place - 1] in MIRRORED and text[: place - 1].rstrip().endswith(_ASSIGNED):
        return None  # What is assigned was no argument.
    first = content_at(text, line_start(text, place))
    best = best_change(machine, text, [Change(first, first, "(")], least)
    rest = None if best is None else find_flaw(machine.lexer, f"{text[:first]}({text[first:]}")
    if best is None or (rest is not None and rest.is_stray):
        return None  # It has closed what a line below has opened, and that is lost.
    line, _ = line_and_column(text, least)
    words = f"perhaps `(` is missing on this line, for `)` on line {line} closes nothing"
    return mended(named(fault, text, first, words), text, best)


def _line_above(machine: Machine, text: str, fault: Fault, culprit: _Culprit, least: int) -> Mend | None:
    """Return the mend for a line that opened a block or a call, and is lost: above what it opened."""
    place, closer = culprit
    lost = _CLOSERS.match(text, closer)
    assert lost is not None, "the culprit's closer is a bracket"
    closers = lost.group()
    is_bracket = text[least : least + 1] in OPENERS
    if is_bracket and closer < least and not _BREAK.search(text, closer, least) and least >= lost.end():
        closers += text[least]  # As with `}, []);`.
    opener = "".join(OPENERS[each] for each in reversed(closers))
    before, brace = (opener[:-1], opener[-1])
    begun = _NAME + before if before else ""
    starts = (*(_HEADERS if brace == "{" else ("", _NAME)), *(() if before else (*_KEYS, _VARIABLE)))
    headers = [f"{begun}{each}{brace} " for each in starts]
    places = _places(text, place, closer)
    best = best_change(machine, text, [Change(each, each, header) for each in places for header in headers], least)
    word = None
    if best is None and opener == "{":
        best = _with_word(machine, text, places[:_MOST_WITH_WORDS], least)
        word = None if best is None else _only_word(machine, text, best)
    if best is None:
        return None
    opens = "ends with" if len(opener) == 1 else "opens"
    looks = f"{opens} `{opener}`" if word is None else f"begins with `{word}` and {opens} `{opener}`"
    message = words_of_lost_line(text, looks, text[closer], closer)
    return mended(named(fault, text, best.change.start, message), text, best)


def _with_word(machine: Machine, text: str, places: list[int], least: int) -> Tried | None:
    """Return the header of a block that begins with a word, above one of some lines, after which most text fits."""
    words = {word for word in machine.compiled.literals if word is not None and word.isalpha()}
    headers = [f"{word} {each}{{ " for word in sorted(words) for each in _CONDITIONS]
    return best_change(machine, text, [Change(each, each, header) for each in places for header in headers], least)


def _only_word(machine: Machine, text: str, best: Tried) -> str | None:
    """Return the word of a header that was tried if with no other word as much of the text fits; None otherwise."""
    word, at = best.change.sign.split()[0], best.change.start
    others = {each for each in machine.compiled.literals if each is not None and each.isalpha()} - {word}
    changes = [Change(at, at, f"{each} {condition}{{ ") for each in others for condition in _CONDITIONS]
    return word if best_change(machine, text, changes, best.reach - 1) is None else None


def _places(text: str, place: int, closer: int) -> list[int]:
    """Return where the lines begin above which one may be lost, between two offsets.

    They are the first one, those below blank lines, and those in the column of the last one.
    """
    found = {
        content_after(text, place) if place else content_at(text, 0),
        *(each.end() for each in _BLANK_LINES.finditer(text, place, closer)),
    }
    above = _content_above(text, line_start(text, closer))
    column = line_column(text, above)
    while above > place and line_column(text, above) >= column:
        if line_column(text, above) == column:
            found.add(above)
        above = _content_above(text, line_start(text, above))
    first, *others = sorted(each for each in found if each < closer) or [closer]
    return [first, *others[-_MOST_PARTS:]]


def _content_above(text: str, begin: int) -> int:
    """Return the first content of the line with content above a line that begins at an offset; 0 for none."""
    end = len(text[:begin].rstrip())
    return content_at(text, line_start(text, end - 1)) if end else 0


def _culprit(machine: Machine, text: str, closer: int) -> _Culprit | None:
    """Return what makes a bracket at the beginning of a line close nothing; None if columns do not tell it."""
    last = closer
    for _ in range(_MOST_STEPS):
        header = header_of(machine, text, closer)
        if header is None:
            # The first line of a block that is deeper than its last one.
            above = _line_further_left(text, closer)
            return None if above is None else _Culprit(above, closer)
        header = _above_labels(machine, text, header)
        opener = text[header - 1]
        if opener not in MIRRORED:
            end = _value_end(machine, text, header, closer)
            return _Culprit(_condition_end(machine, text, header, closer) if end is None else end, closer)
        closed = closer_of(machine.lexer, text, header - 1)
        if closed == closer == last:
            return _Culprit(header, closer)
        if MIRRORED[opener] != text[closer] or closed is None or closed >= closer:
            return None
        if text[line_start(text, closed) : closed].strip():
            return _Culprit(closed, closed)
        closer = closed
    return None


def _above_labels(machine: Machine, text: str, header: int) -> int:
    """Return where the line ends that opens the block of the label which ends at an offset, in its column.

    The offset itself if there is none.
    """
    column, end = line_column(text, header - 1), header
    for _ in range(_MOST_ABOVE):
        if line_column(text, end - 1) == column and not _is_label(machine, text, end):
            return end if text[end - 1] in MIRRORED else header
        end = len(text[: line_start(text, end - 1)].rstrip())
        if end == 0 or line_column(text, end - 1) < column:
            break
    return header


def _condition_end(machine: Machine, text: str, header: int, closer: int) -> int:
    """Return where a header ends whose first line ends at an offset: below that, if its condition goes over lines."""
    opened = find_flaw(machine.lexer, text[:header])
    if opened is None or not opened.is_open or text[opened.offset] != "(":
        return header
    closed = closer_of(machine.lexer, text, opened.offset)
    is_here = closed is not None and closed < closer and opened.offset >= line_start(text, header)
    return header if closed is None or not is_here else closed + 1


def _value_end(machine: Machine, text: str, header: int, closer: int) -> int | None:
    """Return where the value ends that a line up to an offset begins with its last sign, above a blank line.

    None if the text does not fit up to the blank line, or has none: what is lost may be the beginning of a function.
    """
    blank = _BLANK_LINES.search(text, header, closer)
    if blank is None or text[header - 1] != _ASSIGNED or text[blank.start() - 1] not in _ENDED:
        return None
    right = read_right(machine, machine.stacks(), "")
    at = Configuration((right.stacks.bottom,), machine.lexer.start)
    return blank.start() if fits(right, at, text[: blank.start()]) else None


def _line_further_left(text: str, closer: int) -> int | None:
    """Return where the nearest line above ends that is further to the left, below which lines are deeper; else None.

    It is 0 if all lines above are deeper.
    """
    column, below = line_column(text, closer), line_start(text, closer)
    begin = below
    for _ in range(_MOST_ABOVE):
        end = len(text[:below].rstrip())
        if end == 0:
            return 0 if below != begin else None  # The first line of the text is lost.
        if line_column(text, end - 1) <= column:
            return end if below != begin and line_column(text, end - 1) < column else None
        below = line_start(text, end - 1)
    return None
