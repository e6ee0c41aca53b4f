"""Error recovery: choose the text that a quotient is computed for.

Candidates are tried in this order: the texts as they are; the right text without its end, from a top-level line on; the
right text without lines that do not fit; the left text without a line that leaves too much open. The left text that
arrives here has been repaired as far as it does not fit by itself.

The first candidate that fits is taken. To weigh them by their closings would cost a search for each key.

Text that fits may be none that a user means. An editor closes the brackets of `if len(` at once, and what fits before
that `)` at the end of its line is `):` and a whole other line. Before the `):` of a `def` that has no body yet only a
comment's sign fits. So for an editor, where the shortest middle leaves the brackets, or comments them out, the header
is read as if its end or its body was there already (`missing_ends.py`). Where a line below closes the block around the
cursor, and a closer is missing somewhere, it is put in where the columns of the lines say.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from dovetail.parsing.configuration import Configuration
from dovetail.quotient.omission import Omission, before_put_in, without
from dovetail.quotient.quotient import Quotient
from dovetail.quotient.right_side import read_right
from dovetail.recovery.conflicts import last_mark
from dovetail.recovery.limits import ENDED_READINGS, RIGHT_SIDES
from dovetail.recovery.line_closers import closed_again, has_own_closers
from dovetail.recovery.line_ends import line_end, line_start
from dovetail.recovery.line_reader import CLOSERS
from dovetail.recovery.missing_ends import SEPARATOR, missing_brace_ends, missing_ends
from dovetail.recovery.right import (
    closers_below,
    is_closed_below,
    lacking_value,
    omissions_after,
    omissions_below,
    unfinished_end,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dovetail.parsing.stack import Stacks
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide
    from dovetail.recovery.checkpoint import Checkpoint
    from dovetail.recovery.left import LeftReader
    from dovetail.recovery.line_reader import LineReader


_BRACES = re.compile(r"[)\]]*\}")
_REOPENED = re.compile(r"[^{}]*\}(<[^{}]+)\{[(\[\w]*")
"""A closing that ends the braces around the cursor, and opens others behind the end of an element."""
_BRACKET = re.compile(r"[(\[{]|([)\]}])")


class KeptText(NamedTuple):
    """The parts kept of a text on both sides of the cursor: a candidate."""

    at: Checkpoint
    """The end of the text before the cursor. Not its reader, which may go on to another reading."""
    right: RightSide
    left_out: tuple[Omission, ...]
    """The lines skipped after the cursor."""
    end: int
    """The offset up to which the right side goes; the end of the text, or the beginning of `rest`."""
    rest: tuple[Omission, ...] = ()
    """The end of the text, where it is left out as a whole."""

    @property
    def is_viable(self) -> bool:
        """True if some middle makes a program of what is kept."""
        return self.right.recognizer.viable(self.at.configuration)

    def omissions(self) -> tuple[Omission, ...]:
        """Return all that is left out of the text, before and after the cursor, or not read yet."""
        unread = self.right.unread_after(self.at.configuration.lexer)
        # The end of the text is never left out in part, so offsets counted from it are those of the whole text.
        begin = self.end - len(self.right.text)
        later = () if unread is None else (Omission(begin + unread, self.end, unread=True),)
        return (*self.at.left_out, *self.left_out, *later, *self.rest)


class Reading:
    """The quotients of one text with one right text, as it stands and with parts left out."""

    def __init__(self, machine: Machine, stacks: Stacks, right: str, limit: int | None = None) -> None:
        """Read a right text; `limit` as in `read_right`."""
        self.machine = machine
        self.stacks = stacks
        self.limit = limit
        self.right = self._read(right)
        # The right texts tried last with omissions, and their right sides: the next key leaves them as they are.
        self._recovered: dict[str, RightSide] = {}
        self._below: dict[str, tuple[Omission, ...]] = {}  # End that does not parse → what is left out, from its start.

    def _read(self, text: str) -> RightSide:
        return read_right(self.machine, self.stacks, text, self.limit)

    @property
    def is_read(self) -> bool:
        """True if the right sides that were read are read to their end."""
        return not any(right.unread for right in self._rights())

    def read_on(self) -> bool:
        """Read some text that is not read yet; return False if it does not parse, so that a quotient was wrong."""
        return all(right.read_on() for right in self._rights())

    def _rights(self) -> Iterator[RightSide]:
        for right in (self.right, *self._recovered.values()):
            yield right
            yield from right.known_shortened

    def quotient(
        self, lefts: Iterable[LeftReader], text: str, offset: int, *, tolerant: bool, ends_headers: bool = False
    ) -> Quotient:
        """Return the quotient of a text at an offset; `lefts` have read up to there, the most likely first.

        A quotient that is not viable if no candidate is, or without `tolerant` if the text as it stands is not.
        `ends_headers`: see `Language.quotient`.
        """
        lefts = iter(lefts)
        first = next(lefts, None)
        if first is None or (first.checkpoints[-1].left_out and not tolerant):
            # A quotient without heads: nothing is viable, as the text before the cursor fits nothing.
            return Quotient(self.right, Configuration((), self.machine.lexer.start))
        # Where columns make blocks, or nothing does, nobody asks.
        blank = self.right.counts_blocks and not text[line_start(text, offset) : offset].strip(" \t\f")
        at = first.checkpoints[-1]
        # Every key typed comes here. Nearly always all of the right text is read, and nothing of it left out.
        left_out = KeptText(at, self.right, (), len(text)).omissions() if self.right.unread else at.left_out
        as_it_stands = Quotient(self.right, at.configuration, left_out, blank=blank)
        # A text that fits is never repaired: the tolerant answer is then the strict one.
        repaired = at.left_out and not all(part.unread for part in at.left_out)
        ends = self._missing_ends(text, offset) if ends_headers else []
        leaves = bool(ends) and leaves_brackets(as_it_stands)
        if leaves:
            ended = next(filter(_fills, (self._ended(at, text, offset, end) for end in ends)), None)
            if ended is not None:
                return _quotient(ended, blank=blank)
        closed = self._closed_below(first, text, offset, as_it_stands) if tolerant else None
        if ends_headers and closed is None:
            closed = self._closed_behind(at, text, offset, as_it_stands)
        if ends_headers and closed is None:
            closed = self._closed_on_line(at, text, offset, as_it_stands)
        if closed is not None:
            return _quotient(closed, blank=blank)
        if not tolerant or (as_it_stands.viable and not repaired and not leaves):
            return as_it_stands
        # Every right text is tried with the likeliest left text first: to skip what opened a bracket above changes what
        # the user sees around the cursor.
        ends = [end for end in ends if end.instead != SEPARATOR]  # It is put in where nothing else is wrong.
        kept = next(filter(None, (self._keep(left, text, offset, ends) for left in chain([first], lefts))), None)
        return as_it_stands if kept is None else _quotient(kept, blank=blank)

    def _keep(self, left: LeftReader, text: str, offset: int, ends: list[Omission]) -> KeptText | None:
        """Return what is kept of a text after a left text; `ends` may be missing in the header around the cursor."""
        viable = (kept for kept in self._candidates(left, self.right, text, offset) if kept.is_viable)
        kept = next(viable, None)
        if kept is not None and _moves_rest_of_line(kept, text, offset):
            # What it leaves out below makes the line itself look wrong: another one may not.
            others = islice(viable, ENDED_READINGS)
            kept = next((other for other in others if not _moves_rest_of_line(other, text, offset)), kept)
        if not ends:
            return kept
        filling = [kept] if kept is not None and _fills(kept) else []
        if filling:
            # A header without a body takes the next block for it, whose own header is then left out as well. A line
            # that fits without the end of a header is none.
            is_one_part = len(filling[0].left_out) < 2
            ends = [] if is_one_part else [end for end in ends if text[end.start - 1] not in CLOSERS]
        for end in ends:
            filling += islice(filter(_fills, self._mended(left, text, offset, end)), 1)
        return min(filling, key=_loss, default=kept)

    def _missing_ends(self, text: str, offset: int) -> list[Omission]:
        """Return what may be missing at the end of the header around the cursor, or behind the brace of its block."""
        compiled = self.machine.compiled
        behind_brace = missing_brace_ends(text, offset, compiled.brace_ends)
        return [*missing_ends(text, offset, compiled.header_ends, compiled.comment), *behind_brace]

    def _closed_below(self, left: LeftReader, text: str, offset: int, as_it_stands: Quotient) -> KeptText | None:
        """Return the text with a closer put in that is missing below, where a middle would have to be that closer."""
        if not (as_it_stands.viable and is_closed_below(left, text, offset) and leaves_brackets(as_it_stands)):
            return None
        at = left.checkpoints[-1]
        for omissions in closers_below(left, text, offset):
            kept = KeptText(at, self._without(text, offset, omissions), omissions, len(text))
            if kept.is_viable and not leaves_brackets(_quotient(kept, blank=False)):
                return kept
        return None

    def _closed_behind(self, at: Checkpoint, text: str, offset: int, as_it_stands: Quotient) -> KeptText | None:
        """Return the text with what is missing right behind the braces at the cursor; None if nothing is.

        As the end of an element in `<b>{a.` before `}`: a middle would have to close the brace, write that end, and
        open another brace for the one that is there.
        """
        end = _BRACES.match(text, offset)
        if end is None or not (self.machine.compiled.mistakes.elements and as_it_stands.viable):
            return None
        missing = _REOPENED.fullmatch(as_it_stands.keeping_rest_of_line.closing(text[:offset]) or "")
        if missing is None:
            return None
        put_in = (Omission(end.end(), end.end(), missing[1]),)
        kept = KeptText(at, self._without(text, offset, put_in), put_in, len(text))
        return kept if _fills(kept) else None

    def _closed_on_line(self, at: Checkpoint, text: str, offset: int, as_it_stands: Quotient) -> KeptText | None:
        """Return the text with closers put in below the cursor's line, where its own are taken for them, or None."""
        if not (as_it_stands.viable and has_own_closers(text, offset)):
            return None
        closing = as_it_stands.keeping_rest_of_line.closing(text[:offset])
        missing = "" if closing is None else closed_again(text, offset, closing)
        if not missing:
            return None
        end = offset + len(text[offset : line_end(text, offset)].rstrip("\r\n"))
        put_in = (Omission(end, end, f"\n{missing}"),)
        kept = KeptText(at, self._without(text, offset, put_in), put_in, len(text))
        return kept if _fills(kept) else None

    def _ended(self, at: Checkpoint, text: str, offset: int, end: Omission) -> KeptText:
        """Return the text with the end of a header put in."""
        return KeptText(at, self._without(text, offset, (end,)), (end,), len(text))

    def _mended(self, left: LeftReader, text: str, offset: int, end: Omission) -> Iterator[KeptText]:
        """Yield candidates with the end of a header put in, and what does not fit elsewhere left out."""
        whole = text[: end.start] + end.instead + text[end.start :]
        right = self._without(text, offset, (end,))
        for kept in islice(self._candidates(left, right, whole, offset), ENDED_READINGS):
            parts = [before_put_in(part, end) for part in kept.left_out]
            rest = [before_put_in(part, end) for part in kept.rest]
            if None not in parts and None not in rest:
                left_out = sorted([end, *filter(None, parts)])
                start = kept.end - len(end.instead)
                yield kept._replace(left_out=tuple(left_out), end=start, rest=tuple(filter(None, rest)))

    def _candidates(self, left: LeftReader, right: RightSide, text: str, offset: int) -> Iterator[KeptText]:
        """Yield the candidates for a text, with the right side of the text after the offset."""
        at = left.checkpoints[-1]
        mark = last_mark(at, text, offset)
        if mark is not None:
            yield KeptText(at, self._without(text, offset, (mark,)), (mark,), len(text))
        yield KeptText(at, right, (), len(text))
        start = unfinished_end(left, text, offset)
        if start is not None:
            # The last statement of the text is still being written, and says nothing about the cursor.
            end = Omission(start, len(text))
            for found in self._candidates(left, self._without(text, offset, (end,)), text[:start], offset):
                yield found._replace(rest=(*found.rest, end))
        value = lacking_value(left, text, offset)
        if value is not None:
            yield from self._mended(left, text, offset, value)
        # A mistake at the top level further down leaves out some lines, rather than all from the first such line on.
        below = self._omissions_below(left.reader, right, offset)
        if below:
            yield KeptText(at, self._without(text, offset, below), below, len(text))
        yield from self._without_end(at, right, (), len(text))
        for omissions in omissions_after(left, text, offset):
            if omissions:
                kept = self._without(text, offset, omissions)
                yield KeptText(at, kept, omissions, len(text))
                yield from self._without_end(at, kept, omissions, len(text))

    def _omissions_below(self, reader: LineReader, right: RightSide, offset: int) -> tuple[Omission, ...]:
        """Return what is left out of the end of a right text, which begins at a top-level line and does not parse."""
        broken = right.automaton.broken
        if not broken:
            return ()
        start = max(broken)
        end = right.text[start:]
        # They depend on that end alone, so the next key typed, and a header's end put in above, find them again.
        if end not in self._below:
            self._below[end] = omissions_below(reader, end, 0)
        start += offset
        return tuple(part._replace(start=part.start + start, end=part.end + start) for part in self._below[end])

    def _without(self, text: str, offset: int, omissions: tuple[Omission, ...]) -> RightSide:
        """Return the right side of a text after an offset without its omissions."""
        kept = without(text, offset, omissions)
        # A right side depends on no left text, so the kept text is the whole key. The last ones are remembered, as the
        # next key typed asks for the same.
        right = self._recovered.pop(kept, None) or self._read(kept)
        self._recovered[kept] = right
        if len(self._recovered) > RIGHT_SIDES:
            del self._recovered[next(iter(self._recovered))]
        return right

    def _without_end(
        self, at: Checkpoint, right: RightSide, left_out: tuple[Omission, ...], end: int
    ) -> Iterator[KeptText]:
        """Yield the candidates with a right side without its end where that does not parse."""
        for shorter in right.shortened:
            start = end - len(right.text) + len(shorter.text)
            # Omissions further down lie in the end that is left out as a whole.
            within = tuple(part for part in left_out if part.end <= start)
            yield KeptText(at, shorter, within, start, (Omission(start, end),))


def leaves_brackets(quotient: Quotient) -> bool:
    """Return whether the shortest middle ends the line, or closes brackets around the cursor, or there is none.

    A middle that leaves a bracket open lets one that closed a bracket around the cursor close that. A middle that
    comments out what follows on the line does not count.
    """
    closing, depth = quotient.keeping_rest_of_line.start.closing(), 0
    if closing is None or "\n" in closing:
        return True
    for found in _BRACKET.finditer(closing):
        depth += -1 if found[1] else 1
        if depth < 0:
            return True
    return depth > 0


def _moves_rest_of_line(kept: KeptText, text: str, offset: int) -> bool:
    """Return whether no middle makes a program of what is kept that leaves the rest of the line where it is."""
    if not text[offset : line_end(text, offset)].strip():
        return False
    return not _quotient(kept, blank=False).keeping_rest_of_line.within_line.viable


def _fills(kept: KeptText) -> bool:
    """Return whether a text that stays inside the brackets around the cursor makes a program of what is kept."""
    return kept.is_viable and not leaves_brackets(_quotient(kept, blank=False))


def _loss(kept: KeptText) -> tuple[int, int]:
    """Return how many characters after the cursor are not kept, and in how many places the text is another."""
    parts = (*kept.left_out, *kept.rest)
    return sum(part.end - part.start for part in parts), len(parts)


def _quotient(kept: KeptText, *, blank: bool) -> Quotient:
    return Quotient(kept.right, kept.at.configuration, kept.omissions(), blank=blank)
