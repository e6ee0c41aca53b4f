"""Error recovery for the left text: read it line by line, and repair it where a line does not fit.

Everything is decided from the text up to the line in question. Each checkpoint keeps how far that text went
(`Checkpoint.rests_on`), so an edit undoes a repair that a later line made further up. A document under edit, which
may have read further before, thus answers as its text does when it is read from the beginning.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING

from dovetail.quotient.omission import Omission, OmittedHeader
from dovetail.recovery.bracket_reader import BracketReader
from dovetail.recovery.bracket_repairs import BRACKET_REPAIRS, close_all, head_block, rearrange
from dovetail.recovery.checkpoint import Checkpoint
from dovetail.recovery.fix import Misfit, skip_line_at
from dovetail.recovery.history import History
from dovetail.recovery.limits import FAR, PATIENCE
from dovetail.recovery.line_ends import line_ends
from dovetail.recovery.line_reader import CLOSERS
from dovetail.recovery.list_reader import ListReader
from dovetail.recovery.list_repairs import LIST_REPAIRS
from dovetail.recovery.repairs import REPAIRS, find_fix
from dovetail.recovery.skipped_lines import fill_block, open_block

if TYPE_CHECKING:
    from dovetail.recovery.fix import Fix
    from dovetail.recovery.line_reader import LineReader

_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each line.


class LeftReader:
    """Reads a text on from the last of its checkpoints, and keeps one at each line start."""

    def __init__(self, reader: LineReader, checkpoints: list[Checkpoint], *, by_columns: bool = False) -> None:
        """Read on from the last of some checkpoints; at the first one a line begins.

        `by_columns`: in a language whose brackets make blocks, they are closed where columns say so, even if the text
        fits.
        """
        self.reader = reader
        self._plain = not isinstance(reader, BracketReader)
        self._repairs = REPAIRS if self._plain else BRACKET_REPAIRS
        if not reader.has_statements:
            self._repairs = LIST_REPAIRS
        self._by_columns = by_columns
        self.checkpoints = checkpoints
        self._cost = checkpoints[-1].cost
        self._seen = checkpoints[-1].rests_on  # how far the text was looked at

    def history(self, text: str) -> History:
        """Return the lines of a text read so far."""
        return History(self.reader, self.checkpoints, text)

    def known(self, offset: int) -> int:
        """Return how many of the checkpoints were decided from the text before an offset alone."""
        # `_seen` never shrinks while lines are added, so `rests_on` is sorted. Nearly always all of them count.
        if self.checkpoints[-1].rests_on <= offset:
            return len(self.checkpoints)
        return bisect_right(self.checkpoints, offset, key=attrgetter("rests_on"))

    def forget(self, offset: int) -> None:
        """Forget everything that rests on text after an offset."""
        del self.checkpoints[self.known(offset) :]
        # An edit gives back the patience that the forgotten text had used up, as if it had never been read.
        self._cost, self._seen = self.checkpoints[-1].cost, self.checkpoints[-1].rests_on

    def read(self, text: str, end: int) -> bool:
        """Read on to an offset without repairs; return whether the text fits."""
        last = self.checkpoints[-1]
        # With the cursor at a line start, the line end before it has been read already.
        if last.offset == end:
            return True
        self._look(text, end)
        read = self.reader.after(last, text[last.offset : end])
        if read is None:
            return False
        begins = self.reader.begins_line(read)
        self.checkpoints.append(_new(Checkpoint, (end, read, begins, last.left_out, self._cost, self._seen)))
        return True

    def go_on(self, text: str, end: int) -> bool:
        """Read on to the end of a line, with repairs where it does not fit; return False where none helps."""
        # Nearly all lines fit. One that does may have to stand elsewhere where brackets make blocks, and below a line
        # that was skipped.
        as_it_stands = self._plain and not self.checkpoints[-1].left_out
        return (as_it_stands and self.read(text, end)) or self.recover(text, end, to_cursor=False)

    def recover(self, text: str, end: int, *, to_cursor: bool) -> bool:
        """Read on to an offset, and repair what does not fit; return False where no repair helps.

        `to_cursor`: the line that ends there is the cursor's line, and is not skipped.
        """
        # Repairs skip and insert whole lines. Nothing tells where one is whole in a language without layout and blocks.
        if not self.reader.reads_lines:
            return self.read(text, end)
        # The offsets still to be read. A fix that goes back puts the ends of the lines after it in front.
        ends = [end]
        while ends:
            if self._cost >= PATIENCE:
                return False
            is_cursor_line = to_cursor and len(ends) == 1
            better = self._better_fix(text, ends, is_cursor_line)
            if better is not None:
                ends = self._apply(better)
            elif self.read(text, ends[0]):
                del ends[0]
            else:
                history = self.history(text)
                misfit = Misfit(history, history.last_begun(), ends, is_cursor_line)
                fix = find_fix(misfit, self._repairs)
                if fix is None:
                    return False
                # A block that got a placeholder is not missing.
                is_omitted = bool(fix.left_out) and fix.left_out[-1].instead.strip() != self.reader.machine.statement
                if is_cursor_line and is_omitted and self.reader.misses_block(misfit.at, misfit.line):
                    fix = fix._replace(left_out=(*fix.left_out[:-1], OmittedHeader(*fix.left_out[-1])))
                ends = self._apply(fix)
            if not ends and to_cursor:
                # With blanks alone before the cursor, the line before it has not been ended yet.
                history = self.history(text)
                begun = history.last_begun()
                before = history.line_before(begun)
                if before is not None and self.reader.is_unfinished(self.checkpoints[begun]):
                    ends = self._apply(skip_line_at(history, before, [end]))
        return True

    def recover_to_end(self, text: str, offset: int) -> bool:
        """Read on from an offset to the end of the text, if that is near, and repair what does not fit."""
        # Beyond FAR the text is not repaired. If it is broken there, no quotient with it is viable, and the caller asks
        # for that.
        far = offset + FAR
        ends = [*line_ends(text, offset, min(far, len(text))), *([len(text)] if len(text) <= far else [])]
        if not all(self.recover(text, end, to_cursor=False) for end in ends):
            return False
        return len(text) > far or self.finish(text)

    def finish(self, text: str) -> bool:
        """Repair the end of a text that was read as far as it goes, where it cannot be; return False if none helps."""
        while not self._may_end():
            if isinstance(self.reader, ListReader):
                return self._close(self.reader)
            if self._cost >= PATIENCE:
                return False
            if not (self._fill_last(text) or self._skip_last(text)):
                return False
        return True

    def without_opener(self, text: str, end: int) -> bool:
        """Skip the line that opened what is open at an offset, and read again; return False if nothing is open."""
        history = self.history(text)
        begun = history.last_begun()
        # At a checkpoint where a line begins on its own nothing is open but blocks.
        if not (self.reader.reads_lines and self.reader.has_statements) or begun == len(self.checkpoints) - 1:
            return False
        # The line that opened it has to lie above the cursor's line, which is kept as it is.
        if self.checkpoints[begun + 1].offset >= end:
            return False
        ends = self._apply(skip_line_at(history, begun, [end]))
        return all(self.recover(text, offset, to_cursor=offset == end) for offset in ends)

    def _better_fix(self, text: str, ends: list[int], is_cursor_line: bool) -> Fix | None:
        """Return a fix for a line that may fit, and does not stand where it would.

        It may be the block of the line skipped right before. Where brackets make blocks, it may be outside of one.
        """
        last = self.checkpoints[-1]
        if last.offset == ends[0] or not (last.left_out or self._by_columns) or not self.reader.has_statements:
            return None
        if not isinstance(self.reader, BracketReader):
            fix = open_block(Misfit(self.history(text), len(self.checkpoints) - 1, ends, is_cursor_line))
            if fix is not None:
                self._look(text, ends[0])
            return fix
        just_skipped = bool(last.left_out) and last.left_out[-1].end == last.offset
        if not (just_skipped or self._by_columns):
            return None
        history = self.history(text)
        misfit = Misfit(history, history.last_begun(), ends, is_cursor_line)
        fix = head_block(misfit) if just_skipped else None
        if fix is None and self._by_columns:
            fix = rearrange(misfit)
        if fix is not None:
            self._look(text, ends[0])
        return fix

    def _may_end(self) -> bool:
        return self.checkpoints[-1].configuration.finished(self.reader.machine.lexer, self.reader.stacks)

    def _close(self, reader: ListReader) -> bool:
        """Close the brackets that are open at the end of a text without statements; return False if more is missing."""
        at = self.checkpoints[-1]
        closing = reader.closing(at)
        if not closing or closing.strip("".join(CLOSERS)):
            return False
        left_out = (*at.left_out, Omission(at.offset, at.offset, closing))
        self.checkpoints[-1] = at._replace(left_out=left_out)
        return True

    def _fill_last(self, text: str) -> bool:
        """Put a placeholder for the line skipped at the end of the text, where the block above has no other line."""
        at = self.checkpoints[-1]
        in_columns = at.begins and self.reader.layout is not None
        filled = fill_block(self.history(text), at) if in_columns else None
        read = None if filled is None else self.reader.after(at, filled[-1].instead)
        if filled is None or read is None or not read.finished(self.reader.machine.lexer, self.reader.stacks):
            return False
        begins = self.reader.begins_line(read)
        self.checkpoints[-1] = Checkpoint(at.offset, read, begins, filled, self._cost, self._seen)
        return True

    def _skip_last(self, text: str) -> bool:
        """Skip the line that the end of the text is in, and read the lines that it went over again.

        Where brackets make blocks, those that are open are closed instead.
        """
        history = self.history(text)
        fix = close_all(history) if isinstance(self.reader, BracketReader) else None
        if fix is not None:
            self._apply(fix)
            return True
        begun = history.last_begun()
        if begun == len(self.checkpoints) - 1:
            # The text ends with a whole line that still wants another: that line goes.
            before = history.line_before(begun)
            if before is None:
                return False
            begun = before
        ends = self._apply(skip_line_at(history, begun, []))
        return all(self.recover(text, end, to_cursor=False) for end in ends)

    def _apply(self, fix: Fix) -> list[int]:
        """Make a fix, and return the offsets up to which the text is to be read next."""
        del self.checkpoints[fix.base + 1 :]
        # Never subtracted: a fix that a later one undoes has taken its time all the same.
        self._cost += fix.cost
        base = self.checkpoints[-1]
        read = base.configuration if fix.read is None else fix.read
        begins = base.begins if fix.read is None else self.reader.begins_line(read)
        self.checkpoints.append(Checkpoint(fix.offset, read, begins, fix.left_out, self._cost, self._seen))
        return fix.ends

    def _look(self, text: str, end: int) -> None:
        """Note that the text is looked at up to an offset."""
        # A lone \r is a line end only because of the character after it, so a checkpoint there rests on that one too.
        self._seen = max(self._seen, end + text.startswith("\r", end - 1))
