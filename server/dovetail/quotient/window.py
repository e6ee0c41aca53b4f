"""Windows: parts of programs that begin anywhere and end anywhere, as clients send them that know no whole file.

A middle of a window is accepting if some beginning before the window's left text and some end after its right text
make a program of the whole. Both unknown parts mirror each other on the parse stack: the left text is read from the
unknown stack (`parsing.unknown_stack`), in each lexer state in which it may begin (`lexing.beginnings`); the automaton
of the right text is final at any stack over which the text has been read to its end (`suffix.builder`).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.lexing.beginnings import beginnings, line_beginnings
from dovetail.lexing.indentation import MARGIN, exactly
from dovetail.parsing.configuration import Configuration
from dovetail.parsing.unknown_stack import UnknownBeginStacks
from dovetail.quotient.quotient import Quotient
from dovetail.quotient.right_side import read_right
from dovetail.quotient.window_state import WindowState, read_all, united

if TYPE_CHECKING:
    from dovetail.lexing.beginnings import Beginning
    from dovetail.lexing.lexer import Lexer, LexerState
    from dovetail.parsing.work_bound import WorkBound
    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide


class WindowQuotient(Quotient):
    """The middles that fit into a window: the language divided by all texts that end and begin with its two parts."""

    def __init__(self, right: RightSide, configurations: tuple[Configuration, ...]) -> None:
        """Make the quotient of a right side by the configurations after a left text."""
        viable = tuple(each for each in configurations if right.recognizer.viable(each))
        start = WindowState(right, viable)
        super().__init__(right, start.parts()[1])
        self.start = start

    @cached_property
    def keeping_rest_of_line(self) -> Quotient:
        """The quotient without the middles that swallow the rest of the cursor's line, as `Quotient` has it."""
        right = self.right.keeping_rest_of_line
        kept = tuple(each for each in self._configurations if not right.recognizer.is_inside(each.lexer))
        return self if right is self.right or not kept else WindowQuotient(right, kept)

    @cached_property
    def within_line(self) -> Quotient:
        """The quotient whose states close within the line, as `Quotient` has it."""
        return WindowQuotient(self.right.within_line, self._configurations)

    @property
    def _configurations(self) -> tuple[Configuration, ...]:
        return tuple(state.parts()[1] for state in self.start.members())


_TOGETHER = 16
_AT_LINE, _IN_CODE, _IN_LEXEME, _ANYWHERE = LIKELIHOODS = range(4)
"""The beginnings of a window, the likelier ones first.

At a line start of code; in code; inside a long string or a comment of code; anywhere.
"""


def read_window(
    machine: Machine, left: str, right: str, *, likely: bool = False, bound: WorkBound | None = None
) -> WindowQuotient:
    """Return the quotient of a window; raises WorkBoundError if its searches need more than a `bound`.

    `likely`: of the likeliest beginnings with which the window can be part of a program, instead of all. Nearly any
    text can be part of a program, inside a long string or after the sign of a comment.
    """
    stacks = UnknownBeginStacks(machine.compiled, machine.chains, machine.unknown_stack)
    stacks.bound = bound
    side = read_right(machine, stacks, right, whole=False)
    for likelihood in LIKELIHOODS if likely else (_ANYWHERE,):
        configurations = _read(machine, stacks, left, likelihood)
        if likelihood == _IN_LEXEME:
            # Whatever the text is, it can go on with a string that began before it. Code after that string says more.
            code = tuple(each for each in configurations if not machine.lexer.is_delimited(each.lexer))
            quotient = WindowQuotient(side, code)
            if quotient.viable:
                return quotient
        quotient = WindowQuotient(side, configurations)
        if quotient.viable:
            break
    return quotient


def _read(machine: Machine, stacks: UnknownBeginStacks, left: str, likelihood: int) -> tuple[Configuration, ...]:
    """Return the configurations after a left text."""
    configurations: tuple[Configuration, ...] = ()
    # Line by line, so that readings which come to the same state go on as one.
    lines = left.splitlines(keepends=True) or [""]
    for number, line in enumerate(lines):
        configurations = (
            _begin(machine, stacks, left, len(line), likelihood)
            if number == 0
            else read_all(machine.lexer, stacks, configurations, line)
        )
    return configurations


def _begin(
    machine: Machine, stacks: UnknownBeginStacks, left: str, end: int, likelihood: int
) -> tuple[Configuration, ...]:
    """Return the configurations after the first characters of a left text."""
    unknown, lexer = machine.unknown_stack, machine.lexer
    found: dict[int, list[Configuration]] = {0: [Configuration((unknown.bottom,), lexer.start)]}
    ways = line_beginnings(lexer, left) if likelihood == _AT_LINE else beginnings(lexer, left)
    for beginning in ways:
        if likelihood < _ANYWHERE and not _reads_code(machine, beginning):
            continue
        if likelihood == _IN_CODE and (lexer.is_delimited(beginning.state) or _is_hidden(lexer, beginning.state)):
            continue
        around = lexer.blocks.unknown.get(beginning.state.indents, exactly(MARGIN))
        if beginning.begins_line:
            heads = unknown.at_line(around)
        else:
            # Before content that begins with blanks of its own, the line has content already.
            heads = unknown.anything(line=beginning.begins_line is None or left[:1] not in lexer.blanks)
        if beginning.after is not None:
            heads = tuple(head for head in heads if unknown.entering[head.state] in beginning.after)
        if heads:
            found.setdefault(beginning.offset, []).append(Configuration(heads, beginning.state))
    # Most ways to read the first lexeme meet right after it. So all go on together, in small steps at first.
    configurations: tuple[Configuration, ...] = ()
    places = sorted({*found, *(place for place in range(end) if place < _TOGETHER or place % _TOGETHER == 0), end})
    for place, following in zip(places, [*places[1:], end], strict=True):
        configurations = united(stacks, [*configurations, *found.get(place, ())])
        configurations = read_all(lexer, stacks, configurations, left[place:following])
    return configurations


def _is_hidden(lexer: Lexer, state: LexerState) -> bool:
    """Return whether a text begins inside of a lexeme that the grammar does not see, as a comment."""
    becomes = lexer.scanners[lexer.modes.scanner_of[state.stack]].becomes(state.at)
    ways = [way for terminal in becomes for way in lexer.modes.transitions(state.stack, terminal)]
    return state.at != START and bool(ways) and all(way.ignored for way in ways)


def _reads_code(machine: Machine, beginning: Beginning) -> bool:
    """Return whether a text begins where the outermost mode, or one that reads the same, is open."""
    modes = machine.lexer.modes
    return modes.scanner_of[beginning.state.stack] == modes.scanner_of[modes.bottom]
