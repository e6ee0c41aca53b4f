"""The rest of a right context from a top-level line on, read without suffix parsing.

At a line of column zero where nothing is open the stack is known to its bottom: the state of a text after some
statements. So the rest of the text can be read as a left text is, several times as fast, and the only question is
whether it parses. The answer depends on the rest and on that state alone. It is remembered for each such line by its
distance from the end of the text, so after a cursor has moved most of the rest is known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from dovetail.parsing.stack import Stacks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.grammar.compiled import Compiled
    from dovetail.lexing.lexer import Lexer
    from dovetail.parsing.stack import Heads, UnitChains

_KEPT = 4  # The number of texts whose verdicts are remembered.

Verdicts = dict[tuple[int, int], bool]
"""(distance from the end of the text, state over the bottom of the stack) → whether the rest parses there."""


class TopLevelSuffixes:
    """Verdicts on the ends of texts of one language, remembered."""

    def __init__(self, compiled: Compiled, chains: UnitChains) -> None:
        self.compiled = compiled
        self.chains = chains
        # A guess at the lines that begin at column zero: one too few costs only time.
        unlike = re.escape(compiled.comment) if compiled.comment else r"\s"
        self.line = re.compile(rf"[\r\n](?!{unlike})(?=\S)")
        tables = compiled.tables
        self.states = frozenset(state for state in tables.gotos[0].values() if tables.sources[state] == [0])
        """The states that occur only right over the bottom of a stack: after the statements of the top level."""
        self._kept: list[tuple[str, Verdicts]] = []
        self._readings: WeakValueDictionary[tuple[str, int], TopLevelReading] = WeakValueDictionary()
        """(text, first state) → the unfinished reading, kept while an automaton holds it."""

    def parses(
        self,
        lexer: Lexer,
        text: str,
        offset: int,
        state: int,
        limit: int | None = None,
        begun: dict[tuple[int, int], TopLevelReading | None] | None = None,
    ) -> bool | None:
        """Return whether a text parses to its end from a top-level line on, over a state of the top level.

        `limit`: read at most about this many characters, and nothing for 0. The answer is None if more are left. The
        unfinished reading is then put into `begun`, by offset and state. As long as it is held there, a later call
        goes on with it.
        """
        rest = text[offset:]
        verdicts = self._verdicts(rest)
        # By the distance from the end: an edit above moves the offset of a line and not its distance.
        key = (len(rest), state)
        if key in verdicts:
            return verdicts[key]
        if limit == 0:
            return None
        reading = self._readings.get((rest, state))
        if reading is None:
            reading = self._readings[rest, state] = TopLevelReading(self, lexer, rest, state)
        verdict = reading.read_on(verdicts, len(rest) if limit is None else limit)
        if verdict is None and begun is not None:
            begun[offset, state] = reading
        elif verdict is not None:
            self._readings.pop((rest, state), None)
        return verdict

    def _verdicts(self, rest: str) -> Verdicts:
        """Return the verdicts on texts that end like this one."""
        for index, (text, verdicts) in enumerate(self._kept):
            # Texts with a common end share verdicts. The comparison is one of memory, far faster than reading.
            if text.endswith(rest) or rest.endswith(text):
                del self._kept[index]
                self._kept.insert(0, (max(text, rest, key=len), verdicts))
                return verdicts
        fresh: Verdicts = {}
        self._kept = [(rest, fresh), *self._kept[: _KEPT - 1]]
        return fresh


class TopLevelReading:
    """The reading of the end of one text, up to its end or to a line whose verdict is known."""

    def __init__(self, top_level: TopLevelSuffixes, lexer: Lexer, text: str, state: int) -> None:
        layout = top_level.compiled.layout
        assert layout is not None
        self.text = text
        self._top_level_states = top_level.states
        self._lexer = lexer
        self._newline = layout.newline
        self._arranged = {layout.newline, layout.indent, layout.dedent}
        self._stacks = Stacks(top_level.compiled, top_level.chains)
        self._heads: Heads = (self._stacks.node(state, (self._stacks.bottom,)),)
        self._state = lexer.start
        self._at = 0
        self._ends = _ends(text, top_level.line)
        self._passed = [(len(text), state)]

    def read_on(self, verdicts: Verdicts, count: int) -> bool | None:
        """Read about `count` characters more; return the verdict, or None if more are left.

        A verdict holds for every top-level line that was passed, and is added to `verdicts` for each.
        """
        verdict = None
        stop = self._at + count
        for end in self._ends:
            verdict = self._read(end, verdicts)
            if verdict is not None:
                break
            self._at = end
            if end >= stop and end < len(self.text):
                return None
        if verdict is None:
            emissions = self._lexer.finish(self._state) or []
            verdict = bool(emissions) and bool(self._stacks.shift_all(self._heads, emissions))
        # Each line passed leads here by an ordinary parse, so the verdict is that of all of them.
        verdicts.update(dict.fromkeys(self._passed, verdict))
        return verdict

    def _read(self, end: int, verdicts: Verdicts) -> bool | None:
        """Read up to an offset; return the verdict if it is known there, else None."""
        state, lexer, stacks = self._state, self._lexer, self._stacks
        # A guess of `line` may lie inside a string or a bracket. The lexer's state tells.
        begins = state.accepted == self._newline and not state.rest and state.stack == lexer.modes.bottom
        read = lexer.lex(state, self.text[self._at : end])
        if read is None:
            return False
        self._state, emissions = read
        if begins:
            # The newline and the dedents belong to the line before; then comes the first terminal of this one.
            count = 0
            for terminal, _ in emissions:
                count += 1
                if terminal not in self._arranged:
                    break
            self._heads = heads = stacks.shift_all(self._heads, emissions[:count])
            emissions = emissions[count:]
            # With several stacks no single state stands for what came before. Then the line is read on without a
            # verdict.
            under = heads[0].below[0] if len(heads) == 1 and len(heads[0].below) == 1 else stacks.bottom
            if under.state in self._top_level_states:
                key = (len(self.text) - self._at, under.state)
                if key in verdicts:
                    return verdicts[key]
                self._passed.append(key)
        self._heads = stacks.shift_all(self._heads, emissions)
        return None if self._heads else False


def _ends(text: str, line_start: re.Pattern[str]) -> Iterator[int]:
    """Yield the ends of the parts in which a text is read, the last one at its end."""
    for line in line_start.finditer(text):
        yield line.end()
    yield len(text)
