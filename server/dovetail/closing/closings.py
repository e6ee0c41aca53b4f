"""Closings: the shortest text after which a state accepts its right context.

The search proposes plans, which are sequences of terminals, cheapest first. A plan is spelled for its place, and the
text is tried. A plan never costs more than its text has bytes, so the search ends when the next plan costs as much as
the best text so far.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from dovetail.automata.dfa import START
from dovetail.closing.render import Renderer, Start
from dovetail.closing.search import Closer
from dovetail.closing.tails import Tails
from dovetail.closing.yields import UNREAD
from dovetail.lexing.indentation import FAR
from dovetail.lexing.lexer import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.closing.spelling import Spelling
    from dovetail.closing.yields import Yields
    from dovetail.lexing.adjacency import Adjacency
    from dovetail.lexing.lexer import LexerState
    from dovetail.parsing.configuration import Configuration
    from dovetail.parsing.stack import Heads, Node
    from dovetail.suffix.intersection import Intersection
    from dovetail.suffix.lattice import Position

_TRIES = 200  # After so many plans the best text so far is taken.


class AcceptsConfiguration(Protocol):
    """Decides which configurations fit the right context of the closings."""

    @property
    def intersection(self) -> Intersection:
        """The automaton of the right context, read over the stacks of the left text."""

    @property
    def adjacency(self) -> Adjacency:
        """The terminals that may come right after a lexeme."""

    def accepting(self, configuration: Configuration, /) -> bool:
        """Return whether the text read so far and the right context are a program."""

    def viable(self, configuration: Configuration, /) -> bool:
        """Return whether some further text makes a program of it."""


class Closings:
    """The closings against one right context, remembered."""

    def __init__(
        self,
        spelling: Spelling,
        yields: Yields,
        recognizer: AcceptsConfiguration,
        *,
        within_line: bool = False,
        alike: Closings | None = None,
    ) -> None:
        """Search closings for one right context; `within_line`: only those that end no line.

        `alike`: closings against the same right context over other stacks, whose tails are the same.
        """
        self.lexer = spelling.lexer
        self.spelling = spelling
        self.yields = yields.within_line if within_line else yields
        self._within_line = within_line
        self._alike = alike
        self.recognizer = recognizer
        self.stacks = recognizer.intersection.stacks
        self.seam = recognizer.intersection.automaton.seam
        self.writer = Renderer(self.lexer, self.spelling, self.seam)
        self._known: dict[Configuration, str | None] = {}

    @cached_property
    def closer(self) -> Closer:
        """The search for plans; it is prepared once for a right context."""
        return Closer(self.recognizer.intersection, self.yields, self.tails)

    @cached_property
    def tails(self) -> Tails:
        """The terminals that have to be pushed between a stack and the right context."""
        if self._alike is not None:
            return self._alike.tails
        automaton = self.recognizer.intersection.automaton
        return Tails(automaton, self.yields, self._entry_cost)

    def closing(self, configuration: Configuration) -> str | None:
        """Return the shortest text after which stacks and lexer state accept the right context, or None."""
        if configuration not in self._known:
            self._known[configuration] = self._find(configuration)
        return self._known[configuration]

    def _entry_cost(self, position: Position, line: int) -> int:
        ways, passing = self.seam.ways[position, line], self.lexer.modes.passing
        # A text that has a terminal is not at its beginning any more, so what is read there alone costs nothing less.
        usual = [way for way in ways if way[0] not in passing] if passing else ways
        return min(
            0 if states is None else min(len(self.spelling.texts_from(automaton, START)[s].encode()) for s in states)
            for automaton, states in usual or ways
        )

    def _find(self, configuration: Configuration) -> str | None:
        recognizer = self.recognizer
        if recognizer.accepting(configuration):
            return ""
        if not recognizer.viable(configuration):
            return None
        # The cheapest text to find comes first. It bounds the search, which then often ends with its first plan.
        best = self._across(configuration)
        starts: list[tuple[int, Node, int]] = []
        texts: list[Start] = []
        for after, start in self._starts(configuration):
            for head in after:
                # The search goes on from single nodes, so each head is a start of its own.
                starts.append((len(start.text.encode()), head, start.stack))
                texts.append(start)
        rank = None if best is None else self._rank(best, comment=False)

        def apart(start: int, terminal: int) -> int:
            ending, text = texts[start].ending, self.spelling.texts[terminal]
            if text and self.spelling.word(texts[start].stack, terminal) is None:
                return UNREAD  # Another terminal is written there, perhaps with the same sign.
            # A separator has at least one byte, so the plan still costs no more than its text.
            return int(ending is not None and self.spelling.runs_on(ending, text))

        def most() -> int:
            return FAR if rank is None else rank[0]

        for tried, plan in enumerate(self.closer.plans(starts, apart, self.writer.modes_after, most)):
            # At the same cost a plan can only win by its second rank. Without a text so far there is no limit: the
            # state is viable, so a closing exists.
            if rank is not None and (plan.cost > rank[0] or (plan.cost == rank[0] and not rank[1]) or tried > _TRIES):
                break
            # A closing within the line need not exist.
            if self._within_line and tried > _TRIES:
                break
            for text, comment in self.writer.texts(plan, texts[plan.start]):
                candidate = self._rank(text, comment=comment)
                if (rank is None or candidate < rank) and self._closes(configuration, text):
                    best, rank = text, candidate
        return best

    def _rank(self, text: str, *, comment: bool) -> tuple[int, int]:
        """Return the rank of a text: by bytes, then without a line end, with one, and last with a comment."""
        return len(text.encode()), 2 if comment else int(self.writer.newline != "" and self.writer.newline in text)

    def _closes(self, configuration: Configuration, text: str) -> bool:
        """Return whether a text makes a program; the plans leave out adjacency and columns, which this checks."""
        if self._within_line and ("\n" in text or "\r" in text):
            return False
        read = configuration.read(self.lexer, self.stacks, text)
        return read is not None and self.recognizer.accepting(read)

    def _across(self, configuration: Configuration) -> str | None:
        """Return the shortest text by which the pending lexeme alone meets the right context, or None."""
        state = configuration.lexer
        if state.at == START:
            return None
        texts = self.spelling.texts_from(self.lexer.modes.scanner_of[state.stack], state.at)
        outcomes = self.seam.outcomes[self.lexer.modes.scanner_of[state.stack]]
        tried: set[tuple[int, int, int]] = set()
        for target, text in sorted(texts.items(), key=lambda pair: (len(pair[1].encode()), pair[1])):
            # States with the same outcome and terminal look alike from both sides of the cursor. The shortest text for
            # them is tried alone.
            key = (*outcomes[target], self.lexer.scanners[self.lexer.modes.scanner_of[state.stack]].accepts[target])
            if key not in tried:
                tried.add(key)
                if self._closes(configuration, text):
                    return text
        return None

    def _followed(self, heads: Heads, start: Start, state: LexerState, terminal: int) -> Iterator[tuple[Heads, Start]]:
        """Yield the start extended by each terminal that must follow the pending lexeme, if few may.

        After a comment only a line end may come. Few of the cheapest ways to complete a stack begin with one, so the
        search alone might miss it.
        """
        for following in sorted(self.recognizer.adjacency.after(state.stack, state.at, terminal, blank=False) or ()):
            way = self.lexer.modes.known_transition(start.stack, following)
            after = self.stacks.shift(heads, following)
            # Without an ending a line or a blank lies in between, and then anything may follow.
            if not after or way is None or start.ending is None:
                continue
            word = self.spelling.word_beside(start.ending, start.stack, following)
            if word is None:
                continue
            line = Line() if way.ends_line else None
            ending = self.spelling.ending_of(start.stack, word) if line is None else None
            yield after, Start(start.text + word, ending, way.stack, start.indents, line)

    def _is_comment(self, stack: int, terminal: int) -> bool:
        """Return whether a lexeme is ignored and leaves its line as it was."""
        way = self.lexer.modes.known_transition(stack, terminal)
        return way is not None and way.ignored and not way.continues_line

    def _starts(self, configuration: Configuration) -> list[tuple[Heads, Start]]:
        """Return the ways in which the pending lexeme may end, as (stacks after it, text)."""
        lexer = self.lexer
        heads, state = configuration
        if state.at == START:
            return [(heads, Start("", None, state.stack, state.indents, state.line))]
        automaton = lexer.modes.scanner_of[state.stack]
        scanner = lexer.scanners[automaton]
        found: list[tuple[Heads, Start]] = []
        texts = self.spelling.texts_from(automaton, state.at)
        for terminal in sorted(scanner.becomes(state.at) - lexer.compiled.errors):
            ended = lexer.ended_as(state, terminal)
            if ended is None:
                continue
            # The shortest spelling that makes the pending lexeme this terminal: `retur` needs an `n` to be the keyword,
            # and nothing to be a name.
            target, text = min(
                ((target, text) for target, text in texts.items() if scanner.accepts[target] == terminal),
                key=lambda pair: (len(pair[1].encode()), pair[1]),
            )
            after = self.stacks.shift_all(heads, ended[1])
            stack, line = ended[0].stack, ended[0].line
            if state.line is not None and self._is_comment(state.stack, terminal):
                # A comment on a line without content: the next line begins anew.
                text, line = text + self.writer.newline, Line()
            ending = None if line is not None else (state.stack, target)
            if after:
                start = Start(text, ending, stack, state.indents, line)
                found.append((after, start))
                if line is None:
                    found += self._followed(after, start, state, terminal)
                if terminal == lexer.continuation:
                    # A text may not end right after one; an empty line, or a blank, lets it.
                    more = self.writer.newline if line is not None else " "
                    line = Line() if line is not None else None
                    found.append((after, start._replace(text=text + more, ending=None, line=line)))
        # The lexeme may also come to nothing: in `0 if x == 1e` the `1e` is `1` and the beginning of `else`.
        if state.rest and state.accepted >= 0:
            fallen = configuration.fallen_back(lexer, self.stacks)
            if fallen is not None:
                found += self._starts(fallen)
        return found
