"""The rest of a right context from a line at the margin on, where nothing is open any more.

There the stack is known to its bottom: what a whole text has on it after some statements. So the rest is no matter
of suffix parsing; it is read as a left text is, several times as fast, and whether it parses is remembered for each
such line by its distance from the end. A cursor that moves by a line or a screen has most of the rest read before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.parsing.stack import Stacks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.grammar.compiled import Compiled
    from dovetail.lexing.lexer import Lexer
    from dovetail.parsing.stack import Heads, UnitChains

_LINE = re.compile(r"[\r\n](?=[^\s#])")     # a guess at lines that begin at the margin; one too few costs only time
_KEPT = 4     # texts of which something is remembered

Verdicts = dict[tuple[int, int], bool]
"""Distance from the end, and the state over the bottom of the stack → whether the rest parses there."""


class Remainders:
    """Verdicts over the rests of texts of one language."""

    def __init__(self, language: Compiled, chains: UnitChains) -> None:
        self.language = language
        self.chains = chains
        gotos = language.tables.gotos
        self.ground = frozenset(gotos[0].values()).difference(*(row.values() for row in gotos[1:]))
        """The states that lie on nothing but the bottom of a stack."""
        self._kept: list[tuple[str, Verdicts]] = []

    def parses(self, lexer: Lexer, text: str, offset: int, state: int) -> bool:
        """Return whether a text from the margin at an offset on parses to its end over a state of the ground."""
        rest = text[offset:]
        verdicts = self._verdicts(rest)
        key = (len(rest), state)
        if key not in verdicts:
            self._read(lexer, rest, state, verdicts)
        return verdicts[key]

    def _verdicts(self, rest: str) -> Verdicts:
        """Return what is known of texts that end like this one."""
        for index, (text, verdicts) in enumerate(self._kept):
            if text.endswith(rest) or rest.endswith(text):
                del self._kept[index]
                self._kept.insert(0, (max(text, rest, key=len), verdicts))
                return verdicts
        fresh: Verdicts = {}
        self._kept = [(rest, fresh), *self._kept[: _KEPT - 1]]
        return fresh

    def _read(self, lexer: Lexer, rest: str, state: int, verdicts: Verdicts) -> None:
        """Read up to the end, or to a line of which the verdict is known, and keep the verdict of each line passed."""
        layout = self.language.layout
        assert layout is not None
        arranged = {layout.newline, layout.indent, layout.dedent}
        stacks = Stacks(self.language, self.chains)
        heads: Heads = (stacks.node(state, (stacks.bottom,)),)
        passed = [(len(rest), state)]
        verdict: bool | None = None
        at, reading = 0, lexer.start
        for end in _ends(rest):
            begins = reading.accepted == layout.newline and not reading.rest and reading.stack == lexer.modes.bottom
            read = lexer.lex(reading, rest[at:end])
            if read is None:
                heads = ()
                break
            reading, emissions = read
            if begins:
                # What is emitted first belongs to the line before; then comes the first terminal of this one.
                count = 0
                for terminal, _ in emissions:
                    count += 1
                    if terminal not in arranged:
                        break
                heads = stacks.shift_all(heads, emissions[:count])
                emissions = emissions[count:]
                under = heads[0].below[0] if len(heads) == 1 and len(heads[0].below) == 1 else stacks.bottom
                if under.state in self.ground:
                    verdict = verdicts.get((len(rest) - at, under.state))
                    if verdict is not None:
                        break
                    passed.append((len(rest) - at, under.state))
            heads = stacks.shift_all(heads, emissions)
            if not heads:
                break
            at = end
        if verdict is None:
            emissions = (lexer.finish(reading) if heads else None) or []
            verdict = bool(emissions) and bool(stacks.shift_all(heads, emissions))
        verdicts.update(dict.fromkeys(passed, verdict))


def _ends(text: str) -> Iterator[int]:
    """Yield where the parts end in which a text is read, the last one at its end."""
    for line in _LINE.finditer(text):
        yield line.end()
    yield len(text)
