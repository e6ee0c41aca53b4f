"""The left side line by line, also past lines that fit nothing.

Where a line does not fit, one of four things is done, in this order, and the text that it costs is set down:

1. The line before it was not finished (its own end does not fit): that one is left out.
2. The line is the block of a header that was left out, or is not there: one of the shortest form takes its place.
3. The line fits without the line before it, as after a header without a block. If it follows a line that was left
   out already, then what is before them may be what is wrong: more lines before it may go (a `try` that nothing
   ends).
4. The line itself is left out; of one that goes over several, as an open bracket or string makes it, the first.

Everything is decided from the text up to the line in question, so that a document under edit, which has read
further before, answers as its text does afresh.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.dfa import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.stack import Heads, Stacks
    from dovetail.quotient.language import Language

_BEFORE = 60     # lines before one that does not fit which may go with it
_HEADER = 5     # lines over which a header may go that a stand-in takes the place of
_FAR = 20_000     # characters after a cursor in which its line may end, and in which lines are left out
_PATIENCE = 200     # places where text is left out; after them a text is none of this language


class Span(NamedTuple):
    """Some text that was left out, by offsets in characters."""

    start: int
    end: int
    instead: str = ""
    """What takes its place."""
    unread: bool = False
    """It was left out for the time being only, to be read later."""


class Checkpoint(NamedTuple):
    """What lexer and parser know at an offset."""

    offset: int
    state: LexerState
    heads: Heads
    begins: bool
    """A line begins here that may be told apart: nothing is open, but blocks."""
    left_out: tuple[Span, ...] = ()
    losses: int = 0
    """How often something was left out on the way, for good or not."""


class Track:
    """Checkpoints at line starts, the last of them where the reading has come to."""

    def __init__(self, language: Language, stacks: Stacks, checkpoints: list[Checkpoint]) -> None:
        """Read on from the last of some checkpoints; at the first one a line begins."""
        self.language = language
        self.lexer = language.lexer
        self.layout = language.compiled.layout
        self.stacks = stacks
        self.checkpoints = checkpoints
        self._losses = self.checkpoints[-1].losses

    def read(self, text: str, end: int) -> bool:
        """Read on to an offset, strictly; return whether the text fits."""
        last = self.checkpoints[-1]
        if last.offset == end:
            return True
        read = self._after(last, text[last.offset : end])
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
                begun = self._last_begun()
                before = self._line_before(begun)
                if before is not None and self._is_unfinished(self.checkpoints[begun]):
                    ends = self._leave_out_line(before, [end])
        return True

    def mend_on(self, text: str, offset: int) -> bool:
        """Read on from an offset, and leave out what does not fit: to the end of the text, if that is near."""
        far = offset + _FAR
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
        begun = self._last_begun()
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
        begun = self._last_begun()
        if self.layout is None or begun == len(self.checkpoints) - 1:
            return False
        following = self.checkpoints[begun + 1].offset
        if following >= end or "\n" not in text[self.checkpoints[begun].offset : end]:
            return False
        ends = self._leave_out_line(begun, [end])
        return all(self.mend(text, offset, to_cursor=offset == end) for offset in ends)

    def beyond(self, text: str, offset: int) -> Iterator[tuple[Span, ...]]:
        """Yield what to leave out of the text after the cursor, at which this track ends, so that it can be read.

        The cursor's own line, over as many lines as it goes, is kept; first it is read as it stands, then what
        follows is read as if it were not there.
        """
        if self.layout is None:
            return
        end = self._end_of_line(text, offset)
        begun = self.checkpoints[self._last_begun()]
        read = self._after(begun, text[begun.offset : end])
        bases = [self._lose(begun._replace(left_out=()), end)]
        as_it_stands = Checkpoint(end, *read, begins=self._begins(read[0])) if read is not None else None
        if as_it_stands is not None and as_it_stands.begins and not self._is_unfinished(as_it_stands):
            bases.insert(0, as_it_stands)
        for base in bases:
            track = Track(self.language, self.stacks, [base])
            if track.mend_on(text, end):
                spans = track.checkpoints[-1].left_out
                yield tuple(span for span in spans if span.start >= end)

    def _end_of_line(self, text: str, offset: int) -> int:
        """Return where the cursor's line ends; with what it has open that is perhaps some lines further."""
        state = self.checkpoints[-1].state
        at = offset
        for end in line_ends(text, offset, offset + _FAR):
            read = self.lexer.lex(state, text[at:end])
            if read is None:
                break
            state, at = read[0], end
            if self._begins(state):
                return end
        return text.find("\n", offset) + 1 or len(text)

    def _after(self, at: Checkpoint, text: str) -> tuple[LexerState, Heads] | None:
        read = self.lexer.lex(at.state, text) if at.heads else None
        if read is None:
            return None
        heads = self.stacks.shift_all(at.heads, read[1])
        return (read[0], heads) if heads else None

    def _append(self, offset: int, state: LexerState, heads: Heads, base: Checkpoint) -> None:
        self.checkpoints.append(Checkpoint(offset, state, heads, self._begins(state), base.left_out, self._losses))

    def _lose(self, base: Checkpoint, end: int) -> Checkpoint:
        """Return a checkpoint after the text up to an offset is left out."""
        self._losses += 1
        return base._replace(offset=end, left_out=(*base.left_out, Span(base.offset, end)), losses=self._losses)

    def _begins(self, state: LexerState) -> bool:
        """Return whether a line begins after a line end that a lexer has read: that line end is still pending."""
        layout = self.layout
        return (
            layout is not None
            and state.accepted == layout.newline
            and not state.rest
            and self.lexer.modes.in_layout(state.stack)
        )

    def _last_begun(self) -> int:
        return max(index for index, checkpoint in enumerate(self.checkpoints) if checkpoint.begins)

    def _has_content(self, text: str, index: int) -> bool:
        """Return whether a line with content begins at a checkpoint."""
        if not self.checkpoints[index].begins:
            return False
        line = text[self.checkpoints[index].offset : self.checkpoints[index + 1].offset].lstrip()
        scanner = self.lexer.scanners[self.lexer.modes.scanner_of[self.lexer.modes.bottom]]
        return bool(line) and scanner.steps[START][line[0]] in self.lexer.content

    def _line_before(self, begun: int) -> int | None:
        """Return where the last line before a checkpoint began that was not left out."""
        for index in range(begun - 1, -1, -1):
            left_out = self.checkpoints[index + 1].left_out
            gone = bool(left_out) and left_out[-1].start == self.checkpoints[index].offset
            if self.checkpoints[index].begins and not gone:
                return index
        return None

    def _mend_one(self, text: str, ends: list[int], *, keep: bool) -> list[int]:
        """Leave out something before the first of some offsets, so that reading comes further; return what to read.

        Empty if nothing is to be done: the line must be kept and fits nowhere.
        """
        begun = self._last_begun()
        at = self.checkpoints[begun]
        earlier = [index for index in range(max(0, begun - _BEFORE), begun) if self._has_content(text, index)]
        before = self._line_before(begun)
        if before is not None and self._is_unfinished(at):
            return self._leave_out_line(before, ends)
        line = text[at.offset : ends[0]]
        gaps = self._gaps_before(text, at)
        for index in gaps:
            gap = at.left_out[index]
            header = _blanks(text[gap.start : gap.end]) + f"{self.language.stand_in}\n"
            read = self._after(at, header + line)
            if read is not None:
                left_out = (*at.left_out[:index], gap._replace(instead=header), *at.left_out[index + 1 :])
                self._append(ends[0], *read, at._replace(left_out=left_out))
                return ends[1:]
        for header in self._headers(at, line):
            read = self._after(at, header + line)
            if read is not None:
                self._losses += 1
                left_out = (*at.left_out, Span(at.offset, at.offset, header))
                self._append(ends[0], *read, at._replace(left_out=left_out))
                return ends[1:]
        for index in reversed(earlier if gaps else earlier[-1:]):
            base = self.checkpoints[index]
            read = self._after(base, line)
            if read is not None:
                del self.checkpoints[index + 1 :]
                self._append(ends[0], *read, self._lose(base, at.offset))
                return ends[1:]
        if keep and begun == len(self.checkpoints) - 1:
            return []
        return self._leave_out_line(begun, ends)

    def _headers(self, at: Checkpoint, line: str) -> Iterator[str]:
        """Yield headers in the open blocks, the innermost first, under which an indented line may be a block."""
        blocks, indents = self.lexer.blocks.entries, at.state.indents
        while indents >= 0 and self.language.stand_in:
            (width, _), indents = blocks[indents]
            if width < len(_blanks(line)):
                yield " " * width + f"{self.language.stand_in}\n"

    def _gaps_before(self, text: str, at: Checkpoint) -> list[int]:
        """Return which of the lines right before a checkpoint were left out, the last one first."""
        found: list[int] = []
        offset = at.offset
        for index in range(len(at.left_out) - 1, max(-1, len(at.left_out) - 1 - _HEADER), -1):
            gap = at.left_out[index]
            if text[gap.end : offset].strip() or gap.instead or gap.unread:
                break
            found.append(index)
            offset = gap.start
        return found if self.language.stand_in else []

    def _is_unfinished(self, at: Checkpoint) -> bool:
        """Return whether the end of the line before does not fit."""
        settled = self.lexer.settle(at.state)
        return settled is None or not self.stacks.shift_all(at.heads, settled[1])

    def _leave_out_line(self, begun: int, ends: list[int]) -> list[int]:
        """Leave out the line that begins at a checkpoint; return the offsets up to which is to be read again."""
        at = self.checkpoints[begun]
        ends = [checkpoint.offset for checkpoint in self.checkpoints[begun + 1 :]] + ends
        del self.checkpoints[begun + 1 :]
        self.checkpoints.append(self._lose(at, ends[0]))
        return ends[1:]


def _blanks(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def line_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets after each line end between two offsets."""
    at = text.find("\n", start, end)
    while at >= 0:
        yield at + 1
        at = text.find("\n", at + 1, end)
