"""Error recovery for the right text: the lines after the cursor to skip where it is broken.

The cursor's own line, over as many lines as it goes, is kept: it is still being written. So the text after it
is read in three ways: after that line as it stands; as if that line were whole, a statement or the header of a block;
and as if it were not there. Each way gives one set of omissions; the caller tries them in this order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.lexing.layout import blanks_of
from dovetail.parsing.configuration import Configuration
from dovetail.recovery.bracket_reader import BracketReader, column_of, read_lines
from dovetail.recovery.bracket_repairs import VALUE_LINE, lacking_values, open_columns, opener_of, without_line
from dovetail.recovery.checkpoint import Checkpoint
from dovetail.recovery.history import History
from dovetail.recovery.left import LeftReader
from dovetail.recovery.limits import FAR, LINES_IN_BRACKET
from dovetail.recovery.line_ends import line_end, line_ends, line_start
from dovetail.recovery.list_reader import ListReader
from dovetail.recovery.missing_ends import SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.quotient.omission import Omission
    from dovetail.recovery.line_reader import LineReader

_TOP_LEVEL = re.compile(r"(?<=[\r\n])[^\s)\]}]")
"""The beginning of a line in the first column that closes nothing."""
_NAME = "a"
"""The look of a value at the cursor."""


def omissions_after(left: LeftReader, text: str, offset: int) -> Iterator[tuple[Omission, ...]]:
    """Yield sets of omissions after the cursor, the most likely first; `left` has read the text up to the cursor."""
    if isinstance(left.reader, ListReader):
        line = line_end(text, offset)
        bases = ((base, False) for base in _elements_at(left, left.reader, text[offset:line], line))
        yield from _omissions(left, text, left.checkpoints[-1]._replace(offset=line), line, bases)
    elif left.reader.reads_lines:
        own = _after_cursor_line(left, text, offset, line_end(text, offset))
        yield from _omissions(left, text, own, line_end(text, offset), _readings(left, text, own))


def closers_below(left: LeftReader, text: str, offset: int) -> Iterator[tuple[Omission, ...]]:
    """Yield sets of closers that are missing further down, or too many there, by the columns of the lines.

    Where brackets make blocks and one is never closed, a middle could close the cursor's block once more, for a line
    below that closes it (`is_closed_below`) to close the one around it; where one is closed twice, a middle could open
    one more. The columns say that another one was meant.
    """
    reader, end_of_line = left.reader, line_end(text, offset)
    assert isinstance(reader, BracketReader)
    own = _after_cursor_line(left, text, offset, end_of_line)
    bases = ((base, True) for base in _continuations(left, text, own))
    for omissions in _omissions(left, text, own, end_of_line, bases):
        lines = [text[part.start : part.end] for part in omissions]
        if omissions and all(not line or (line.count("\n") < 2 and reader.begins_with_closer(line)) for line in lines):
            yield omissions


def is_closed_below(left: LeftReader, text: str, offset: int) -> bool:
    """Return whether the first line below that is less deep than the cursor's closes the block around the cursor."""
    reader, start = left.reader, line_end(text, offset)
    if not isinstance(reader, BracketReader) or text[offset:start].strip():
        return False
    own = column_of(blanks_of(text[line_start(text, offset) : offset]))
    for end in line_ends(text, start, min(offset + FAR, len(text))):
        line = text[start:end]
        column = column_of(blanks_of(line))
        if column < own and reader.is_content(line):
            return reader.begins_with_closer(line) and open_columns(left.history(text))[-1:] == (column,)
        start = end
    return False


def unfinished_end(left: LeftReader, text: str, offset: int) -> int | None:
    """Return the offset of the last statement of a text if it is unfinished, as `const n =`; None if it is not.

    Only where brackets make blocks: elsewhere each line is looked at. It begins in the first column, below the cursor's
    line, and opens no block: an open one is closed rather than left out.
    """
    reader = left.reader
    if not isinstance(reader, BracketReader):
        return None
    begin = max(line_end(text, offset), len(text) - FAR)
    start = max((match.start() for match in _TOP_LEVEL.finditer(text, begin)), default=None)
    if start is None:
        return None
    lexer, stacks = reader.lexer, reader.stacks
    read = Configuration((stacks.bottom,), lexer.start).read(lexer, stacks, text[start:])
    is_unfinished = read is not None and reader.blocks(read) == 0 and not read.finished(lexer, stacks)
    return start if is_unfinished else None


def lacking_value(left: LeftReader, text: str, offset: int) -> Omission | None:
    """Return the value for the first attribute that lacks one on the rest of the cursor's line; None without one."""
    return next(lacking_values(left.reader.machine, text, offset, line_end(text, offset)), None)


def _omissions(
    left: LeftReader, text: str, own: Checkpoint, end_of_line: int, readings: Iterable[tuple[Checkpoint, bool]]
) -> Iterator[tuple[Omission, ...]]:
    """Yield what is left out of the text after the cursor's line in some readings, each set once."""
    # Several ways often skip the same lines, and each set costs the caller a suffix parse.
    tried: set[tuple[Omission, ...]] = set()
    for base, by_columns in readings:
        reader = left.reader
        if isinstance(reader, BracketReader):
            reader = reader.with_columns(open_columns(History(reader, [*left.checkpoints, base], text)))
        right = LeftReader(reader, [base], by_columns=by_columns)
        if right.recover_to_end(text, own.offset):
            # The cursor's line is skipped only to read on after it. It is kept, so its own omission is none of the
            # right text's, and no part of another that took it in.
            omissions = tuple(
                part._replace(start=max(part.start, end_of_line))
                for part in right.checkpoints[-1].left_out
                if max(part.start, part.end - 1) >= end_of_line
            )
            if omissions not in tried:
                tried.add(omissions)
                yield omissions


def omissions_below(reader: LineReader, text: str, start: int) -> tuple[Omission, ...]:
    """Return the omissions of a text from a top-level line on; none if it cannot be repaired."""
    machine = reader.machine
    if not reader.reads_lines or machine.top_level_state is None:
        return ()
    # Other stacks than the document's, whose nodes stay as long as the document does.
    stacks = machine.stacks()
    heads = (stacks.node(machine.top_level_state, (stacks.bottom,)),)
    base = Checkpoint(start, Configuration(heads, machine.lexer.start), begins=True)
    below = LeftReader(read_lines(machine, reader.placeholders, stacks), [base])
    return below.checkpoints[-1].left_out if below.recover_to_end(text, start) else ()


def _elements_at(left: LeftReader, reader: ListReader, rest: str, end_of_line: int) -> Iterator[Checkpoint]:
    """Yield the checkpoints from which to read on after the cursor's line in a language without statements.

    The line as it stands, with an element or a part of one at the cursor, and with one behind which another follows.
    """
    at = left.checkpoints[-1]
    element = reader.element(at)
    for middle in ("", element, element + SEPARATOR):
        read = reader.after(at, middle + rest)
        if read is not None:
            yield Checkpoint(end_of_line, read, begins=True)
    # The middle may go over several lines, or end what the rest of the line is in.
    for middle in (element, element + SEPARATOR):
        read = reader.after(at, middle)
        if read is not None:
            yield Checkpoint(end_of_line, read, begins=True)


def _readings(left: LeftReader, text: str, own: Checkpoint) -> Iterator[tuple[Checkpoint, bool]]:
    """Yield the checkpoints from which to read on, each with whether columns close the blocks that brackets make."""
    bases = []
    for base in _continuations(left, text, own):
        bases.append(base)
        yield base, False
    if isinstance(left.reader, BracketReader):
        for base in bases:
            yield base, True


def _continuations(left: LeftReader, text: str, own: Checkpoint) -> Iterator[Checkpoint]:
    """Yield the checkpoints from which to read on after the cursor's line.

    `own` is that of the line as it stands, without heads where it cannot be read so.
    """
    # As it stands first: then nothing is assumed about the line.
    if own.configuration.heads:
        yield own
    history = left.history(text)
    index = history.last_begun()
    begun = left.checkpoints[index]
    blanks = blanks_of(text[begun.offset : own.offset])
    # Comments and blank lines may stand at any column, so they do not tell whether a block follows.
    following = left.reader.first_content(text, own.offset, own.offset + FAR)
    # A deeper line below is the block of the cursor's line, so that one is most likely a header.
    stand_ins = _stand_ins(left, begun, deeper=len(blanks_of(following)) > len(blanks))
    for line in [f"{blanks}{line}\n" for line in stand_ins if line]:
        at = history.latest_before(index, line)
        read = left.reader.after(left.checkpoints[at], line) if at is not None else None
        if read is not None:
            yield Checkpoint(own.offset, read, begins=True, left_out=own.left_out)
    # What is left out of the lines that belong to it lies in what is skipped.
    yield begun._replace(left_out=()).skip(own.offset)
    plain = _in_plain_blocks(left, begun, blanks)
    if plain is not None:
        yield Checkpoint(own.offset, plain, begins=True, left_out=own.left_out)


def _in_plain_blocks(left: LeftReader, begun: Checkpoint, blanks: str) -> Configuration | None:
    """Return the configuration after a line in blocks of the same columns whose headers want nothing after them.

    The middle may still end a `try` that nothing before the cursor ends, so the text after it need not.
    """
    reader = left.reader
    header, statement = reader.placeholders.header, reader.machine.statement
    if reader.layout is None or header is None:
        return None
    outer = [*reader.layout.outer_blanks(begun.configuration.lexer, f"{blanks}{statement}")][::-1]
    text = "".join(f"{each}{header}\n" for each in outer) + f"{blanks}{statement}\n"
    start = Checkpoint(0, Configuration((reader.stacks.bottom,), reader.lexer.start), begins=True)
    return reader.after(start, text)


def _stand_ins(left: LeftReader, begun: Checkpoint, *, deeper: bool) -> list[str | None]:
    """Return lines that the cursor's line may be like, the most likely first; `deeper`: the line below it is."""
    if not isinstance(left.reader, BracketReader):
        lines = [left.reader.machine.statement, left.reader.placeholders.header]
        return lines[::-1] if deeper else lines
    # A text that has not begun yet is begun by the cursor's line.
    begins = begun.configuration.heads == (left.reader.stacks.bottom,)
    return [*([left.reader.placeholders.prelude] if begins else []), *(left.reader.headers(begun) if deeper else ())]


def _after_cursor_line(left: LeftReader, text: str, offset: int, end_of_line: int) -> Checkpoint:
    """Return the checkpoint after the cursor's line; without heads where that cannot be read as it stands.

    The cursor's line may be the first of several that belong together. Those of them that do not fit are skipped. The
    first is kept; it ends at `end_of_line`.
    """
    reader = left.reader
    begun = left.checkpoints[left.history(text).last_begun()]
    # Omissions before the cursor belong to the left reader, which the caller adds by itself.
    at = left.checkpoints[-1]._replace(left_out=())
    nothing = begun.configuration._replace(heads=())
    unread = begun._replace(offset=end_of_line, configuration=nothing, begins=False, left_out=())
    rest = text[offset:end_of_line]
    read = reader.after(at, rest)
    if read is None and isinstance(reader, BracketReader) and rest.strip():
        # The middle may be the value that the line lacks. A header is read on in other ways.
        read = reader.after(at, f"{_NAME}{rest}")
        read = read if read is not None and reader.blocks(read) == reader.blocks(at.configuration) else None
    if read is not None:
        at = Checkpoint(end_of_line, read, begins=reader.begins_line(read))
    else:
        start = line_start(text, offset)
        before = next((earlier for earlier in reversed(left.checkpoints) if earlier.offset <= start), begun)
        if not reader.in_bracket(before):
            return unread
        # It does not fit the bracket around it; what is written there may change that, and the next line follows.
        at = before._replace(offset=end_of_line, left_out=())
    lines = [at]
    for end in line_ends(text, end_of_line, offset + FAR):
        if at.begins:
            break
        line = text[at.offset : end]
        read = reader.after(at, line)
        without = None if read is not None else _without_opener(reader, lines, text, end)
        if read is not None:
            at = Checkpoint(end, read, reader.begins_line(read), at.left_out)
        elif without is not None:
            at = without
            # What was read behind the opener was read within its bracket.
            lines = [each for each in lines if each.offset <= at.left_out[-1].start]
        elif (filled := _with_value(reader, at, line, end)) is not None:
            at = filled
        elif reader.in_bracket(at) and not reader.is_own(line) and len(at.left_out) < LINES_IN_BRACKET:
            at = at.skip(end)
        else:
            return unread
        lines.append(at)
    return at if at.begins and not reader.is_unfinished(at) else unread


def _with_value(reader: LineReader, at: Checkpoint, line: str, end: int) -> Checkpoint | None:
    """Return the checkpoint after a line that fits behind a value in the place of the line skipped before it.

    A bracket may want one, as that of `items.map((item) => (` does whose element is not finished.
    """
    last = at.left_out[-1] if at.left_out else None
    if last is None or last.end != at.offset or not last.start < last.end:
        return None
    read = reader.after(at, VALUE_LINE + line)
    if read is None:
        return None
    return Checkpoint(end, read, reader.begins_line(read), (*at.left_out[:-1], last._replace(instead=VALUE_LINE)))


def _without_opener(reader: LineReader, lines: list[Checkpoint], text: str, end: int) -> Checkpoint | None:
    """Return the checkpoint after a line that fits if the line that opened the innermost bracket is skipped."""
    if not isinstance(reader, BracketReader):
        return None
    index = opener_of(reader, lines, text, end, 0)
    return None if index is None else without_line(reader, lines, text, end, index)
