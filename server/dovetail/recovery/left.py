"""The left side line by line, also past lines that fit nothing.

Where a line does not fit, one of four things is done, in this order, and the text that it costs is set down:

1. The line before it was not finished (its own end does not fit): that one is left out.
2. The line is the block of a header that was left out, or is not there: one of the shortest form takes its place.
3. The line fits without the line before it, as after a header without a block, or without what begins with the last
   line of its column, as after a `try` that nothing ends. If it follows a line that was left out already, or is the
   cursor's, then more lines before it may go.
4. The line itself is left out; of one that goes over several, as an open bracket or string makes it, the first.

Before all that, a line within an open bracket that could be no line by itself is left out alone, or the one before
it, whose comma is lost. What decorators await is not what a stand-in is; they go. And the cursor's line, which stays,
gets a bracket opened before it if nothing else helps.

Everything is decided from the text up to the line in question, and with each checkpoint is kept how far that text
went: what a later line did to earlier ones is forgotten with it. So a document under edit, which has read further
before, answers as its text does afresh.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import product
from operator import attrgetter
from typing import TYPE_CHECKING

from dovetail.quotient.omission import Omission
from dovetail.recovery.checkpoint import Checkpoint
from dovetail.recovery.line_reader import LineReader, blanks_of, line_ends

if TYPE_CHECKING:
    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.stack import Heads, Stacks
    from dovetail.quotient.machine import Machine
    from dovetail.recovery.placeholders import Placeholders

_BEFORE = 60  # lines before one that does not fit which may go with it
_HEADER = 5  # lines over which a header may go that a stand-in takes the place of
FAR = 20_000  # characters after a cursor in which its line may end, and in which lines are left out
IN_BRACKET = 3  # lines that are left out within a bracket; if more do not fit, it is the bracket that is wrong
_PATIENCE = 200  # places where text is left out; after them a text is none of this language
_AGAIN = 100  # lines that are read again, by each stack: as much as one such place


class Track:
    """Checkpoints at line starts, the last of them where the reading has come to."""

    def __init__(
        self, machine: Machine, placeholders: Placeholders, stacks: Stacks, checkpoints: list[Checkpoint]
    ) -> None:
        """Read on from the last of some checkpoints; at the first one a line begins."""
        self.machine = machine
        self.placeholders = placeholders
        self.lexer = machine.lexer
        self.layout = machine.compiled.layout
        self.stacks = stacks
        self.reader = LineReader(machine, placeholders, stacks)
        self.checkpoints = checkpoints
        self._losses = checkpoints[-1].losses
        self._seen = checkpoints[-1].rests_on  # how far the text was looked at

    def known(self, offset: int) -> int:
        """Return how many of the checkpoints were decided from the text before an offset alone."""
        return bisect_right(self.checkpoints, offset, key=attrgetter("rests_on"))

    def forget(self, offset: int) -> None:
        """Forget everything that rests on text after an offset."""
        del self.checkpoints[self.known(offset) :]
        self._losses, self._seen = self.checkpoints[-1].losses, self.checkpoints[-1].rests_on

    def read(self, text: str, end: int) -> bool:
        """Read on to an offset, strictly; return whether the text fits."""
        last = self.checkpoints[-1]
        if last.offset == end:
            return True
        self._seen = max(self._seen, end)
        read = self.reader.after(last, text[last.offset : end])
        if read is None:
            return False
        self._append(end, *read, last)
        return True

    def mend(self, text: str, end: int, *, to_cursor: bool) -> bool:
        """Read on to an offset, and leave out what does not fit; return False where that is of no use.

        `to_cursor`: the line that ends there is the cursor's, and is not left out.
        """
        if self.layout is None:
            return self.read(text, end)
        self._seen = max(self._seen, end)
        ends = [end]
        while ends:
            if self._losses >= _PATIENCE:
                return False
            if self.read(text, ends[0]):
                del ends[0]
            else:
                ends = self._mend_one(text, ends, keep=to_cursor and len(ends) == 1)
                if not ends and self.checkpoints[-1].offset < end:
                    return False
            if not ends and to_cursor:
                # With blanks alone before the cursor, the line before it has not been ended yet.
                begun = self.last_begun()
                before = self._line_before(begun)
                if before is not None and self.reader.is_unfinished(self.checkpoints[begun]):
                    ends = self._leave_out_line(before, [end])
        return True

    def mend_on(self, text: str, offset: int) -> bool:
        """Read on from an offset, and leave out what does not fit: to the end of the text, if that is near."""
        far = offset + FAR
        ends = [*line_ends(text, offset, min(far, len(text))), *([len(text)] if len(text) <= far else [])]
        if not all(self.mend(text, end, to_cursor=False) for end in ends):
            return False
        while len(text) <= far and not self._may_end():
            if self._losses >= _PATIENCE or not self._leave_out_last(text):
                return False
        return True

    def _may_end(self) -> bool:
        last = self.checkpoints[-1]
        emissions = self.lexer.finish(last.state)
        return emissions is not None and bool(self.stacks.shift_all(last.heads, emissions))

    def _leave_out_last(self, text: str) -> bool:
        """Leave out the line that the end of the text is in, and read what it went over again."""
        begun = self.last_begun()
        if begun == len(self.checkpoints) - 1:
            # It ends with a whole line that still wants another: that one goes.
            before = self._line_before(begun)
            if before is None:
                return False
            begun = before
        ends = self._leave_out_line(begun, [])
        return all(self.mend(text, end, to_cursor=False) for end in ends)

    def without_opener(self, text: str, end: int) -> bool:
        """Leave out the line that opened what is open at an offset, and read again; return False if nothing is."""
        begun = self.last_begun()
        if self.layout is None or begun == len(self.checkpoints) - 1:
            return False
        following = self.checkpoints[begun + 1].offset
        if following >= end or "\n" not in text[self.checkpoints[begun].offset : end]:
            return False
        ends = self._leave_out_line(begun, [end])
        return all(self.mend(text, offset, to_cursor=offset == end) for offset in ends)

    def _append(self, offset: int, state: LexerState, heads: Heads, base: Checkpoint) -> None:
        begins = self.reader.begins_after(state)
        self.checkpoints.append(Checkpoint(offset, state, heads, begins, base.left_out, self._losses, self._seen))

    def lose(self, base: Checkpoint, end: int) -> Checkpoint:
        """Return a checkpoint after the text up to an offset is left out."""
        self._losses += 1
        left_out = (*base.left_out, Omission(base.offset, end))
        return base._replace(offset=end, left_out=left_out, losses=self._losses, rests_on=self._seen)

    def last_begun(self) -> int:
        """Return which of the checkpoints is the last at which a line begins."""
        return next(index for index in reversed(range(len(self.checkpoints))) if self.checkpoints[index].begins)

    def _has_content(self, text: str, index: int) -> bool:
        """Return whether a line with content begins at a checkpoint."""
        if not self.checkpoints[index].begins:
            return False
        return self.reader.is_content(text[self.checkpoints[index].offset : self.checkpoints[index + 1].offset])

    def _line_before(self, begun: int) -> int | None:
        """Return where the last line before a checkpoint began that was not left out."""
        for index in range(begun - 1, -1, -1):
            if self.checkpoints[index].begins and not self._is_gone(index):
                return index
        return None

    def _is_gone(self, index: int) -> bool:
        """Return whether the line that begins at a checkpoint was left out."""
        left_out = self.checkpoints[index + 1].left_out
        return bool(left_out) and left_out[-1].start == self.checkpoints[index].offset

    def _mend_one(self, text: str, ends: list[int], *, keep: bool) -> list[int]:
        """Leave out something before the first of some offsets, so that reading comes further; return what to read.

        Empty if nothing is to be done: the line must be kept and fits nowhere.
        """
        begun = self.last_begun()
        at = self.checkpoints[begun]
        within = self._mend_in_bracket(text, at, ends, keep=keep)
        if within is not None:
            return within
        earlier = [index for index in range(max(0, begun - _BEFORE), begun) if self._has_content(text, index)]
        before = self._line_before(begun)
        if before is not None and self.reader.is_unfinished(at):
            return self._leave_out_line(before, ends)
        line = text[at.offset : ends[0]]
        gaps = self._gaps_before(text, at)
        for index in gaps:
            gap = at.left_out[index]
            header = blanks_of(text[gap.start : gap.end]) + f"{self.placeholders.header}\n"
            read = self.reader.after(at, header + line)
            if read is None:
                if self._under_header(begun, header, line, ends[0]):
                    return ends[1:]
            else:
                left_out = (*at.left_out[:index], gap._replace(instead=header), *at.left_out[index + 1 :])
                self._append(ends[0], *read, at._replace(left_out=left_out))
                return ends[1:]
        for header in self.reader.headers(at, line):
            read = self.reader.after(at, header + line)
            if read is None:
                if self._under_header(begun, header, line, ends[0]):
                    return ends[1:]
            else:
                self._losses += 1
                left_out = (*at.left_out, Omission(at.offset, at.offset, header))
                self._append(ends[0], *read, at._replace(left_out=left_out))
                return ends[1:]
        beside = [
            index for index in earlier if self._blanks_at(text, index) == blanks_of(line) and not self._is_gone(index)
        ]
        candidates = earlier if gaps or keep else [*beside[-1:], *earlier[-1:]]
        for index in sorted(set(candidates), reverse=True):
            base = self.checkpoints[index]
            read = self.reader.after(base, line)
            if read is not None:
                del self.checkpoints[index + 1 :]
                self._append(ends[0], *read, self.lose(base, at.offset))
                return ends[1:]
        if keep and begun == len(self.checkpoints) - 1:
            return self._under_opener(at, line, ends)
        return self._leave_out_opener(text, begun, ends)

    def _mend_in_bracket(self, text: str, at: Checkpoint, ends: list[int], *, keep: bool) -> list[int] | None:
        """Leave out a line inside an open bracket: the last one, without which the next fits, or the next itself.

        Return what is left to read; None where a line shows that the bracket was not closed.
        """
        last = self.checkpoints[-1]
        line = text[last.offset : ends[0]]
        lost = len(last.left_out) - len(at.left_out)
        if not self.reader.in_bracket(last) or self.reader.is_own(line) or lost >= IN_BRACKET:
            return None
        before = self.checkpoints[-2]
        beside = self.reader.in_bracket(before) and before.offset < last.offset
        read = self.reader.after(before, line) if beside else None
        if read is not None and before.left_out == last.left_out:
            self.checkpoints.pop()
            self._append(ends[0], *read, self.lose(before, last.offset))
        elif keep:
            return None
        else:
            self.checkpoints.append(self.lose(last, ends[0]))
        return ends[1:]

    def latest(self, begun: int, line: str) -> Checkpoint | None:
        """Return the last checkpoint at or before one after which a line fits: where nothing awaits another line."""
        for _ in range(_HEADER):
            if self.reader.after(self.checkpoints[begun], line) is not None:
                return self.checkpoints[begun]
            before = self._line_before(begun)
            if before is None:
                return None
            begun = before
        return None

    def _under_header(self, begun: int, header: str, line: str, end: int) -> bool:
        """Read a line under a header in the place of the lines before it, decorators say, that await another header."""
        base = self.latest(begun, header)
        at = self.checkpoints[begun]
        read = self.reader.after(base, header + line) if base is not None and base is not at else None
        if base is None or read is None:
            return False
        del self.checkpoints[self.checkpoints.index(base) + 1 :]
        self._losses += 1
        left_out = (*base.left_out, Omission(base.offset, at.offset, header))
        self._append(end, *read, base._replace(left_out=left_out))
        return True

    def _under_opener(self, at: Checkpoint, line: str, ends: list[int]) -> list[int]:
        """Read the cursor's line as one inside a bracket of which the beginning is lost."""
        around = self.reader.blanks_to(self.lexer.blocks.entries[at.state.indents][0])
        places = dict.fromkeys((around, blanks_of(line)))
        for blanks, opener in product(places, self.machine.openers):
            read = self.reader.after(at, f"{blanks}{opener}\n{line}")
            if read is not None:
                self._losses += 1
                left_out = (*at.left_out, Omission(at.offset, at.offset, f"{blanks}{opener}\n"))
                self._append(ends[0], *read, at._replace(left_out=left_out))
                return ends[1:]
        return []

    def _gaps_before(self, text: str, at: Checkpoint) -> list[int]:
        """Return which of the lines right before a checkpoint were left out, the last one first."""
        found: list[int] = []
        offset = at.offset
        for index in range(len(at.left_out) - 1, max(-1, len(at.left_out) - 1 - _HEADER), -1):
            gap = at.left_out[index]
            if gap.instead or gap.unread or self.reader.first_content(text, gap.end, offset):
                break
            found.append(index)
            offset = gap.start
        return found if self.placeholders.header else []

    def _blanks_at(self, text: str, index: int) -> str:
        return blanks_of(text[self.checkpoints[index].offset : self.checkpoints[index + 1].offset])

    def _leave_out_line(self, begun: int, ends: list[int], count: int = 1) -> list[int]:
        """Leave out the line that begins at a checkpoint; return the offsets up to which is to be read again.

        `count`: how many of the lines go over which it does.
        """
        at = self.checkpoints[begun]
        again = [checkpoint.offset for checkpoint in self.checkpoints[begun + 1 :]]
        # What is open lets stacks multiply, and each of them has to be gone on with again.
        self._losses += len(again) * len(self.checkpoints[-1].heads) // _AGAIN
        del self.checkpoints[begun + 1 :]
        ends = again + ends
        self.checkpoints.append(self.lose(at, ends[count - 1]))
        return ends[count:]

    def _leave_out_opener(self, text: str, begun: int, ends: list[int]) -> list[int]:
        """Leave out the first of the lines over which one goes, with those after it that could be none by themselves.

        So a bracket that nothing closes goes with what is in it.
        """
        inside = [checkpoint.offset for checkpoint in self.checkpoints[begun + 1 :]]
        count = 1
        while count < len(inside) and not self.reader.is_whole(text[inside[count - 1] : inside[count]]):
            count += 1
        return self._leave_out_line(begun, ends, count)
