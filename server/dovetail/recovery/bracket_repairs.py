"""Repairs of a text in a language whose brackets make blocks.

A line that does not fit is left out, with a header in its place where the lines below it are deeper. A block that
nothing closes is closed before the first line that is not deeper than the one that opened it. Lines are compared by
their blanks: they mean nothing to the parser, and show what somebody meant.

Each repair is a function as those of `repairs.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.lexing.layout import blanks_of
from dovetail.quotient.omission import Omission
from dovetail.recovery.bracket_reader import BracketReader, column_of
from dovetail.recovery.checkpoint import Checkpoint
from dovetail.recovery.conflicts import leave_out_side
from dovetail.recovery.fix import Fix, skip_line_at
from dovetail.recovery.limits import LINES_BEFORE, LINES_IN_BRACKET
from dovetail.recovery.lost_comments import begin_comment, leave_out_comment
from dovetail.recovery.repairs import skip_lines_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.machine import Machine
    from dovetail.recovery.fix import Misfit
    from dovetail.recovery.history import History
    from dovetail.recovery.repairs import Repair

_FIRST_WORD = re.compile(r"([ \t]*)\w+[ \t]+(?=\w)")
"""The first of two words at the beginning of a line."""

VALUE_LINE = "a\n"
"""The look of a line that is a value."""


def head_block(misfit: Misfit) -> Fix | None:
    """Put a header for the line skipped right before, so that this line, which is deeper, is in its block."""
    history, at = misfit.history, misfit.at
    if misfit.begun != len(history.checkpoints) - 1 or not at.left_out or not history.reader.is_content(misfit.line):
        return None
    gaps = history.gaps_before(at)
    if not gaps:
        return None
    first = at.left_out[gaps[-1]]
    blanks = blanks_of(history.text[first.start : first.end])
    if column_of(blanks_of(misfit.line)) <= column_of(blanks):
        return None
    reader = _reader(history)
    for header in reader.headers(at):
        instead = f"{blanks}{header}\n"
        read = reader.after(at, instead + misfit.line)
        if read is not None:
            left_out = (*at.left_out[: gaps[-1]], Omission(first.start, at.offset, instead))
            return Fix(misfit.begun, misfit.ends[0], left_out, read, misfit.ends[1:])
    return None


def fill_attributes(misfit: Misfit) -> Fix | None:
    """Fill the empty braces of attributes in a line, as `key={}`, where elements have such: their values come later.

    Editors close a brace when it is typed, so a line often stays like this while another one is written.
    """
    (reader, checkpoints, text), ends = misfit.history, misfit.ends
    last = checkpoints[-1]
    values = tuple(lacking_values(reader.machine, text, last.offset, ends[0]))
    filled, start = "", last.offset
    for value in values:
        filled, start = f"{filled}{text[start : value.start]}{value.instead}", value.start
    read = reader.after(last, filled + text[start : ends[0]]) if values else None
    return None if read is None else Fix(len(checkpoints) - 1, ends[0], (*last.left_out, *values), read, ends[1:])


def lacking_values(machine: Machine, text: str, start: int, end: int) -> Iterator[Omission]:
    """Yield what fills the attributes of elements that lack their values in a part of a text."""
    elements = machine.compiled.habits.elements
    if elements is not None and elements.lacking:
        for match in re.compile(elements.lacking).finditer(text, start, end):
            yield Omission(match.end(), match.end(), elements.value)


def begin_text(misfit: Misfit) -> Fix | None:
    """Begin the text with what every text begins with, as a clause that names a package, and that is lost here."""
    history, at = misfit.history, misfit.at
    prelude = history.reader.placeholders.prelude
    if not prelude or at.configuration.heads != (history.reader.stacks.bottom,):
        return None
    read = history.reader.after(at, f"{prelude}\n{misfit.line}")
    if read is None:
        return None
    return Fix(misfit.begun, misfit.ends[0], _with(at, f"{prelude}\n"), read, misfit.ends[1:])


def skip_first_word(misfit: Misfit) -> Fix | None:
    """Skip the first word of a line that leaves something open, where the rest fits, as in `cosnt a = f({`.

    Without the whole line, what it opens would be read as a block, and what closes it as something else.
    """
    (reader, checkpoints, text), ends = misfit.history, misfit.ends
    last = checkpoints[-1]
    word = _FIRST_WORD.match(text, last.offset, ends[0])
    if word is None or misfit.is_cursor_line:
        return None
    read = reader.after(last, word[1] + text[word.end() : ends[0]])
    if read is None or _opened(misfit.history, read) <= _opened(misfit.history, last.configuration):
        return None
    left_out = (*last.left_out, Omission(word.end(1), word.end()))
    return Fix(len(checkpoints) - 1, ends[0], left_out, read, ends[1:])


def skip_in_bracket(misfit: Misfit) -> Fix | None:
    """Skip a line inside an open bracket that is deeper than the line of the bracket; at most a few of them."""
    (reader, checkpoints, text), ends = misfit.history, misfit.ends
    last = checkpoints[-1]
    if misfit.is_cursor_line or not reader.in_bracket(last):
        return None
    if len(last.left_out) - len(misfit.at.left_out) >= LINES_IN_BRACKET:
        return None
    if column_of(blanks_of(text[last.offset : ends[0]])) <= column_of(blanks_of(misfit.line)):
        return None
    left_out = (*last.left_out, Omission(last.offset, ends[0]))
    return Fix(len(checkpoints) - 1, ends[0], left_out, None, ends[1:])


def skip_before_header(misfit: Misfit) -> Fix | None:
    """Skip a few lines inside an open bracket before a header that fits without them.

    After `x = y.` any word is a name, and what follows the name does not fit. Without its header a block would close
    another one.
    """
    (reader, checkpoints, text), ends = misfit.history, misfit.ends
    last = checkpoints[-1]
    if misfit.is_cursor_line or not reader.in_bracket(last):
        return None
    line, blocks = text[last.offset : ends[0]], _reader(misfit.history).blocks(last.configuration)
    for index in range(len(checkpoints) - 2, max(misfit.begun, len(checkpoints) - 2 - LINES_IN_BRACKET), -1):
        before = checkpoints[index]
        if not reader.in_bracket(before) or _reader(misfit.history).blocks(before.configuration) != blocks:
            return None
        read = reader.after(before, line)
        if read is not None:
            if _reader(misfit.history).blocks(read) <= blocks:
                return None
            left_out = (*before.left_out, Omission(before.offset, last.offset))
            return Fix(index, ends[0], left_out, read, ends[1:])
    return None


def skip_line_above(misfit: Misfit) -> Fix | None:
    """Skip the line above the cursor's in an open bracket, where the cursor's fits without it.

    As `a=` in a tag, whose value somebody has left for later.
    """
    checkpoints = misfit.history.checkpoints
    if not misfit.is_cursor_line or len(checkpoints) - 1 <= misfit.begun + 1:
        return None
    index = len(checkpoints) - 2
    fixed = without_line(_reader(misfit.history), checkpoints, misfit.history.text, misfit.ends[0], index)
    return None if fixed is None else Fix(index, fixed.offset, fixed.left_out, fixed.configuration, misfit.ends[1:])


def skip_opener(misfit: Misfit) -> Fix | None:
    """Skip the line that opened the innermost bracket within another one, where this line is no deeper than that.

    It was never closed, as `a={` in a tag.
    """
    reader, checkpoints, text = _reader(misfit.history), misfit.history.checkpoints, misfit.history.text
    first = max(misfit.begun + 1, len(checkpoints) - LINES_BEFORE)
    index = opener_of(reader, checkpoints, text, misfit.ends[0], first)
    fixed = None if index is None else without_line(reader, checkpoints, text, misfit.ends[0], index)
    if index is None or fixed is None:
        return None
    return Fix(index, fixed.offset, fixed.left_out, fixed.configuration, misfit.ends[1:])


def opener_of(reader: BracketReader, checkpoints: Sequence[Checkpoint], text: str, end: int, first: int) -> int | None:
    """Return the index of the checkpoint at the line that opened the innermost bracket before the last checkpoint.

    From the checkpoint `first` on. None if there is none, or if the line from the last checkpoint to `end` is deeper.
    """
    depth = reader.depth(checkpoints[-1].configuration)
    for index in range(len(checkpoints) - 2, first - 1, -1):
        if reader.depth(checkpoints[index].configuration) < depth:
            opener, line = text[checkpoints[index].offset :], text[checkpoints[-1].offset : end]
            return None if column_of(blanks_of(line)) > column_of(blanks_of(opener)) else index
    return None


def without_line(
    reader: BracketReader, checkpoints: Sequence[Checkpoint], text: str, end: int, index: int
) -> Checkpoint | None:
    """Return the checkpoint at `end` without the line of an open bracket at one of the checkpoints but the last.

    A value stands in its place where the bracket around it wants one, as in `items.map((item) => (`. None if the lines
    behind it, up to `end`, do not fit then.
    """
    at, after = checkpoints[index : index + 2]
    if not (reader.in_bracket(at) and reader.in_bracket(checkpoints[-1])):
        return None
    for instead in ("", VALUE_LINE):
        read = reader.after(at, instead + text[after.offset : end])
        if read is not None:
            left_out = (*at.left_out, Omission(at.offset, after.offset, instead))
            return Checkpoint(end, read, reader.begins_line(read), left_out)
    return None


def close_blocks(misfit: Misfit) -> Fix | None:
    """Close the blocks whose headers are as deep as this line or deeper, as far as it fits then."""
    history = misfit.history
    if misfit.begun != len(history.checkpoints) - 1:
        return None
    reader, at = _reader(history), misfit.at
    column = column_of(blanks_of(misfit.line))
    inserted = ""
    for opened in _columns(history):
        if opened < column:
            return None
        closed = _closed(reader, at, inserted, opened)
        if closed is None:
            return None
        inserted = closed
        read = reader.after(at, inserted + misfit.line)
        if read is not None:
            return Fix(misfit.begun, misfit.ends[0], _with(at, inserted), read, misfit.ends[1:])
    return None


def skip_statement(misfit: Misfit) -> Fix | None:
    """Skip the line itself, or the first of the lines that its statement goes over."""
    if misfit.begun == len(misfit.history.checkpoints) - 1 and misfit.is_cursor_line:
        return None
    return skip_line_at(misfit.history, misfit.begun, misfit.ends)


BRACKET_REPAIRS: tuple[Repair, ...] = (
    leave_out_side,
    begin_comment,
    leave_out_comment,
    begin_text,
    fill_attributes,
    skip_before_header,
    skip_opener,
    skip_line_above,
    skip_first_word,
    skip_in_bracket,
    close_blocks,
    skip_lines_before,
    skip_statement,
)
"""In the order in which they are tried."""


def rearrange(misfit: Misfit) -> Fix | None:
    """Return a fix for a line that fits and whose column says that the blocks around it are others.

    A block whose header is as deep as the line has to be closed before it; a closer that is deeper than the header of
    its block closes none, and is skipped.
    """
    history = misfit.history
    reader, at, line = _reader(history), misfit.at, misfit.line
    if misfit.begun != len(history.checkpoints) - 1 or not reader.is_content(line):
        return None
    column, inserted = column_of(blanks_of(line)), ""
    is_closer = reader.begins_with_closer(line)
    for opened in _columns(history):
        if is_closer and opened < column and not inserted and not misfit.is_cursor_line:
            return Fix(misfit.begun, misfit.ends[0], (*at.left_out, Omission(at.offset, misfit.ends[0])), None,
                       misfit.ends[1:])  # fmt: skip
        if opened < column or (opened == column and (is_closer or reader.begins_with_label(line))):
            break
        closed = _closed(reader, at, inserted, opened)
        if closed is None:
            return None
        inserted = closed
    read = reader.after(at, inserted + line) if inserted else None
    return None if read is None else Fix(misfit.begun, misfit.ends[0], _with(at, inserted), read, misfit.ends[1:])


def close_all(history: History) -> Fix | None:
    """Return the fix that closes all blocks that are open at the end of the text; None if none is, or one cannot be."""
    reader, at = _reader(history), history.checkpoints[-1]
    if reader.blocks(at.configuration) <= 0:
        return None  # A line end alone would end nothing, again and again.
    inserted = "\n"
    for opened in _columns(history):
        closed = _closed(reader, at, inserted, opened)
        if closed is None:
            return None
        inserted = closed
    read = reader.after(at, inserted)
    return None if read is None else Fix(len(history.checkpoints) - 1, at.offset, _with(at, inserted), read, [])


def open_columns(history: History) -> tuple[int, ...]:
    """Return the columns of the lines that opened the blocks open at the last checkpoint, the outermost first."""
    return tuple(_columns(history))[::-1]


def _columns(history: History) -> Iterator[int]:
    """Yield the columns of the lines that opened the blocks, the innermost first."""
    reader, checkpoints = _reader(history), history.checkpoints
    blocks = reader.blocks(checkpoints[-1].configuration)
    for index in range(len(checkpoints) - 2, -1, -1):
        if blocks <= 0:
            return
        before = reader.blocks(checkpoints[index].configuration)
        while blocks > max(before, 0):
            yield column_of(history.blanks_at(index))
            blocks -= 1
    # The lines that opened the others stand above the first checkpoint.
    yield from reader.columns[: max(blocks, 0)][::-1]


def _closed(reader: BracketReader, at: Checkpoint, inserted: str, column: int) -> str | None:
    """Return an insertion with one closer more, or None if none is known."""
    read = reader.after(at, inserted) if inserted else at.configuration
    closer = None if read is None else reader.closer(at._replace(configuration=read))
    return None if closer is None else f"{inserted}{' ' * column}{closer}\n"


def _opened(history: History, configuration: Configuration) -> int:
    """Return how many blocks and brackets are open."""
    return _reader(history).blocks(configuration) + _reader(history).depth(configuration)


def _with(at: Checkpoint, inserted: str) -> tuple[Omission, ...]:
    return (*at.left_out, Omission(at.offset, at.offset, inserted))


def _reader(history: History) -> BracketReader:
    assert isinstance(history.reader, BracketReader), "the language has blocks in brackets"
    return history.reader
