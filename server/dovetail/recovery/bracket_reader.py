"""A reader of lines in a language whose brackets make blocks: what is open at a line start, and what would close it."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.quotient.right_side import read_shared_right
from dovetail.recovery.line_reader import LineReader
from dovetail.recovery.list_reader import ListReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.parsing.brackets import Opened
    from dovetail.parsing.configuration import Configuration
    from dovetail.parsing.stack import Heads, Node, Stacks
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide
    from dovetail.recovery.checkpoint import Checkpoint
    from dovetail.recovery.placeholders import Placeholders

_TAB = 8
_LONGEST = 80  # characters of a placeholder for the header of a block


class BracketReader(LineReader):
    """Reads lines that begin wherever no lexeme and no bracket but those of blocks is open, and a statement has ended.

    Columns mean nothing to the parser. Persons indent, so they tell where a block was meant to end.
    """

    columns: Sequence[int] = ()
    """The columns of the lines that opened the blocks open at the first checkpoint, the outermost first."""

    def __init__(self, machine: Machine, placeholders: Placeholders, stacks: Stacks) -> None:
        super().__init__(machine, placeholders, stacks)
        self.reads_lines = True
        self._opened: dict[Node, Opened] = {}
        self._headers: dict[tuple[int, ...], list[str]] = {}
        self._ends: dict[str, RightSide] = {}
        """Right contexts that close blocks and hold nothing else."""

    def with_columns(self, columns: Sequence[int]) -> BracketReader:
        """Return a reader for other columns that shares all that this one has found out about stacks."""
        other = copy(self)
        other.columns = columns
        return other

    def begins_line(self, configuration: Configuration) -> bool:
        """Return whether nothing is open but blocks, and the statement before may end here."""
        heads = self._settled(configuration)
        if not heads or self.depth(configuration):
            return False
        if self.blocks(configuration) == 0:
            return bool(self.stacks.shift(heads, self.lexer.compiled.end))
        return any(self.stacks.shift(heads, closer) for closer, _ in self.machine.brackets.closers)

    def in_bracket(self, at: Checkpoint) -> bool:
        """Return whether the line that begins at a checkpoint is inside a bracket that makes no block."""
        return bool(self._settled(at.configuration)) and self.depth(at.configuration) > 0

    def is_own(self, line: str) -> bool:
        """Return False: no line shows by itself that it is outside of a bracket."""
        del line
        return False

    def is_unfinished(self, at: Checkpoint) -> bool:
        """Return whether the statement before a checkpoint cannot end there."""
        return not self._settled(at.configuration)

    def blocks(self, configuration: Configuration) -> int:
        """Return the number of blocks open after some lines; -1 if nothing was read."""
        return self._count(configuration.heads).blocks if configuration.heads else -1

    def begins_with_closer(self, line: str) -> bool:
        """Return whether the first word or sign of a line closes a block."""
        line = line.lstrip()
        return any(
            line.startswith(text) and not (text[-1].isalnum() and line[len(text) : len(text) + 1].isalnum())
            for _, text in self.machine.brackets.closers
        )

    def begins_with_label(self, line: str) -> bool:
        """Return whether a line begins one level further out than the lines after it."""
        line = line.lstrip()
        return any(line.startswith(label) for label in self.lexer.compiled.labels)

    def closer(self, at: Checkpoint) -> str | None:
        """Return the shortest text that closes the innermost block at a checkpoint, None if none does by itself."""
        blocks = self.blocks(at.configuration)
        for _, text in self.machine.brackets.closers:
            read = self.after(at, f"{text}\n")
            if read is not None and self.blocks(read) == blocks - 1 and self.begins_line(read):
                return text
        return None

    def headers(self, at: Checkpoint) -> list[str]:
        """Return short texts that open a block at a checkpoint, one for each text that closes a block."""
        heads, lexer = at.configuration
        if not heads:
            return []
        key = (*(head.state for head in heads), lexer.stack, lexer.accepted, self.blocks(at.configuration))
        if key not in self._headers:
            self._headers[key] = list(self._find_headers(at))
        return self._headers[key]

    def _find_headers(self, at: Checkpoint) -> Iterator[str]:
        blocks = self.blocks(at.configuration)
        for text in dict.fromkeys(text for _, text in self.machine.brackets.closers):
            header = self._shortest(at, "\n" + f"{text}\n" * (blocks + 1))
            if header and len(header) <= _LONGEST and "\n" not in header.strip():
                read = self.after(at, f"{header.strip()}\n")
                if read is not None and self.blocks(read) == blocks + 1:
                    yield header.strip()

    def _shortest(self, at: Checkpoint, ends: str) -> str | None:
        """Return the shortest text between a checkpoint and the ends of all blocks, one of them not yet open."""
        # What opens a block is mostly enough, and nothing is shorter. To read it takes no time beside a search.
        for opener in ("", *(opener for _, opener in self.machine.brackets.openers)):
            if self._is_program(at, opener + ends):
                return opener
        if ends not in self._ends:
            self._ends[ends] = read_shared_right(self.machine, self.stacks, ends)
        return self._ends[ends].closings.closing(at.configuration)

    def _is_program(self, at: Checkpoint, text: str) -> bool:
        """Return whether the text before a checkpoint and one more make a program."""
        read = at.configuration.read(self.lexer, self.stacks, text)
        final = None if read is None else self.lexer.finish(read.lexer)
        return read is not None and final is not None and bool(self.stacks.shift_all(read.heads, final))

    def _settled(self, configuration: Configuration) -> Heads:
        """Return the heads after the pending lexeme; none if it cannot end here, as inside a comment."""
        state = configuration.lexer
        if self.lexer.is_delimited(state):
            return ()
        if state.at == START:
            return configuration.heads
        settled = self.lexer.settle(state)
        return () if settled is None else self.stacks.shift_all(configuration.heads, settled[1])

    def depth(self, configuration: Configuration) -> int:
        """Return the number of brackets and strings open that are no blocks."""
        entries = self.lexer.modes.entries
        depth, below = self._count(configuration.heads).brackets, entries[configuration.lexer.stack][1]
        while below >= 0:
            depth, below = depth + 1, entries[below][1]
        return depth

    def _count(self, heads: Heads) -> Opened:
        return self.machine.brackets.opened(heads[0], self._opened)


def column_of(blanks: str) -> int:
    r"""Return the width of the blanks at the beginning of a line.

    >>> column_of("\t  ")
    10
    """
    return len(blanks.expandtabs(_TAB))


def read_lines(machine: Machine, placeholders: Placeholders, stacks: Stacks) -> LineReader:
    """Return the reader of lines for a language."""
    if machine.brackets.has_blocks:
        return BracketReader(machine, placeholders, stacks)
    if machine.layout is None:
        return ListReader(machine, placeholders, stacks)
    return LineReader(machine, placeholders, stacks)
