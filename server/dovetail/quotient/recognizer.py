"""The recognizer: decides whether a configuration accepts its right context, and whether it is viable.

*Accepting* means that the text read so far and the right context are a program. *Viable* means that some further text
between the two makes them a program. The lexeme that is pending at the cursor decides where the automaton of the right
context is entered. The stacks are then the business of `suffix.intersection`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.lexing.beginnings import read_from
from dovetail.lexing.lexer import LexerState
from dovetail.parsing.configuration import Configuration
from dovetail.suffix.intersection import Intersection
from dovetail.suffix.lattice import BEYOND
from dovetail.suffix.outcomes import CLEAN, FALLBACK, OPEN
from dovetail.suffix.seam import AFTER_CONTENT, EITHER

if TYPE_CHECKING:
    from dovetail.lexing.adjacency import Adjacency
    from dovetail.lexing.lexer import Lexer
    from dovetail.parsing.stack import Heads, Stacks
    from dovetail.suffix.automaton import SuffixAutomaton
    from dovetail.suffix.lattice import Position

_new = tuple.__new__  # A NamedTuple's own constructor is a Python function: twice the time, for each token.


class Recognizer:
    """The answers about one right context over the stacks of one text, remembered.

    An answer depends on the configuration alone, so it holds as long as the right text stays the same.
    """

    def __init__(
        self,
        lexer: Lexer,
        adjacency: Adjacency,
        stacks: Stacks,
        automaton: SuffixAutomaton,
        alike: Recognizer | None = None,
    ) -> None:
        """Answer for an automaton over the stacks of one text; `alike`: a recognizer for it over other stacks."""
        self.lexer = lexer
        self.adjacency = adjacency
        self.stacks = stacks
        self.seam = automaton.seam
        self.automaton = automaton
        known: Intersection | None = None if alike is None else alike.intersection
        self.intersection: Intersection = Intersection(automaton, stacks, lexer.tab, known)
        self._accepting: dict[Configuration, bool] = {}
        self._viable: dict[Configuration, bool] = {}
        # (offset after the first line end, modes, lexer state there) → offset after the last line end like it, so that
        # blank lines in a row are read once.
        self._skips: dict[tuple[int, int, int], int] = {}

    def accepting(self, configuration: Configuration) -> bool:
        """Return whether the text read so far and the right context are a program."""
        answer = self._accepting.get(configuration)
        if answer is None:
            answer = self._accepting[configuration] = self._is_accepting(configuration)
        return answer

    def viable(self, configuration: Configuration) -> bool:
        """Return whether some text between the text read so far and the right context makes a program."""
        answer = self._viable.get(configuration)
        if answer is None:
            answer = self._viable[configuration] = self._is_viable(configuration)
        return answer

    def _is_accepting(self, configuration: Configuration) -> bool:
        lexer, seam = self.lexer, self.seam
        # Without a right context the text ends here, so no lexeme can lie across the cursor.
        if not seam.text:
            return configuration.finished(lexer, self.stacks) if seam.whole else self.viable(configuration)
        while True:
            heads, state = configuration
            if not heads or self.is_refused(state):
                return False
            if state.line is not None:
                return self._accepts_line(configuration)
            automaton = lexer.modes.scanner_of[state.stack]
            if state.at == START:
                # In a window the middle may have closed the lowest mode that is known: then there are several.
                automata = lexer.modes.automata_of(state.stack)
                return any(self.enters(position, heads) for each in automata for position in seam.clean[each])
            # The state of the pending lexeme alone decides how longest match goes on over the cursor.
            outcome = seam.outcomes[automaton][state.at]
            if outcome[0] >= OPEN:
                if self._straddles(automaton, outcome, heads):
                    return True
                # The lexeme may also end within the texts, if what follows does not go on with it.
                outcome = seam.open[outcome][1]
            terminal = outcome[0]
            if terminal >= 0:
                return self._straddles(automaton, outcome, heads)
            # The lexeme ends before the cursor or at it. What it read since its last terminal is lexed again, and that
            # may leave another lexeme pending: hence the loop. It ends, because each round leaves fewer characters.
            assert terminal in (CLEAN, FALLBACK)
            fallen = configuration.fallen_back(lexer, self.stacks)
            if fallen is None:
                return False
            configuration = fallen

    def _straddles(self, automaton: int, outcome: tuple[int, int], heads: Heads) -> bool:
        """Return whether the right context fits after a lexeme that goes on into it, on a line with content."""
        return any(
            self.enters(position, heads)
            for straddle in self.seam.straddling(automaton, outcome)
            if straddle.line in (EITHER, AFTER_CONTENT)
            for position in straddle.positions
        )

    def entries_after(self, state: LexerState) -> tuple[Position, ...]:
        """Return the positions at which the right context is entered if nothing is inserted after a lexer state.

        A lexeme that can neither end here nor go on into the right context is taken to end in the middle.
        """
        lexer, seam = self.lexer, self.seam
        while state.at != START:
            automaton = lexer.modes.scanner_of[state.stack]
            if seam.outcomes[automaton][state.at][0] >= 0:
                straddles = seam.straddling(automaton, seam.outcomes[automaton][state.at])
                return tuple(position for straddle in straddles for position in straddle.positions)
            read = lexer.fallen_back(state)
            if read is None:
                break
            state = read[0]
        if state.line is not None:
            return tuple(position for positions in seam.on_blank.values() for position in positions)
        return tuple(seam.clean[lexer.modes.scanner_of[state.stack]])

    def is_refused(self, state: LexerState) -> bool:
        """Return whether the seam refuses the pending lexeme, as it stands at the cursor."""
        if state.at == START or not self.seam.refused:
            return False
        return self.seam.outcomes[self.lexer.modes.scanner_of[state.stack]][state.at] in self.seam.refused

    def is_inside(self, state: LexerState) -> bool:
        """Return whether the cursor stands inside a lexeme or a string that the seam refuses.

        Inside a formatted string there may be no pending lexeme. The answer is then whether the seam refuses every
        lexeme that the right context could continue there.
        """
        if self.is_refused(state):
            return True
        outcomes = self.seam.outcomes[self.lexer.modes.scanner_of[state.stack]]
        ended = self.lexer.settle(state) if outcomes[state.at][0] == CLEAN else (state, [])
        if ended is None or ended[0].at != START or ended[0].line is not None:
            return False
        automaton = self.lexer.modes.scanner_of[ended[0].stack]
        own = self.lexer.scanners[automaton].finish(
            START, self.seam.text, 0, {}
        )  # The lexeme that the text begins with.
        refused = self.seam.refused.intersection(self.seam.outcomes[automaton])
        return own in refused and all(terminal == own[0] for terminal, _ in refused)

    def _accepts_line(self, configuration: Configuration) -> bool:
        """Return whether a configuration on a line without content accepts the right context.

        The left side's lexer reads on, from the blanks on the left through those on the right, to the first content.
        Only there is the column of the line known. The automaton is entered at that content.
        """
        text, layout = self.seam.text, self.lexer.compiled.layout
        assert layout is not None
        heads, state = configuration
        offset = 0
        ended: tuple[int, int, int] | None = None  # (offset, modes, lexer state) after the first line end.
        last = 0  # The offset after the last line end like it.
        whole = True  # Whole lines are read at a time. The line with content is read by character.
        while offset < len(text):
            end = text.find("\n", offset) + 1 if whole else offset + 1
            read = self.lexer.lex(state, text[offset : end or len(text)])
            if whole and (read is None or read[0].line is None):
                whole = False
                continue
            if read is None:
                return self._accepts_in_unknown(Configuration(heads, state), offset)
            state, emissions = read
            if emissions:
                heads = self.stacks.shift_all(heads, emissions)
                if not heads:
                    return False
            if state.line is None:
                break
            offset = end or len(text)
            if state.accepted != layout.newline or state.rest:
                continue
            # Blank lines leave no trace in lexer or stacks. So if an earlier call found many of them after the first
            # line end, this one goes on after the last.
            if ended is None:
                ended = offset, state.stack, state.at
                offset = last = self._skips.get(ended, offset)
            elif (state.stack, state.at) == ended[1:]:
                last = offset
        if ended is not None:
            self._skips[ended] = last
        if state.line is not None:
            return not self.seam.whole or Configuration(heads, state).finished(self.lexer, self.stacks)
        return any(self.enters(position, heads) for position in self.seam.on_blank.get(offset, ()))

    def _accepts_in_unknown(self, configuration: Configuration, offset: int) -> bool:
        """Return whether a line that stands in an unknown block, with content at an offset, is accepted."""
        heads, state = configuration
        return self.lexer.blocks.is_in_unknown(state.indents) and any(
            self.enters(position, self.stacks.shift_all(heads, emissions))
            for after, emissions in read_from(self.lexer, state, self.seam.text[offset])
            if after.line is None
            for position in self.seam.on_blank.get(offset, ())
        )

    def enters(self, position: Position, heads: Heads) -> bool:
        """Return whether the automaton, entered at a position, accepts the stacks."""
        if position.terminal == BEYOND:
            return bool(heads)
        for lookahead in self.automaton.lookaheads.get(position, ()):
            after = self.stacks.shift(heads, lookahead.terminal)
            if after and self.intersection.accepts(lookahead, after):
                return True
        return False

    def _is_viable(self, configuration: Configuration) -> bool:
        heads, state = configuration
        if not heads:
            return False
        # Nothing is pending, so any text may come next, and the stacks alone decide.
        if state.at == START:
            return self.intersection.viable(heads)
        # The pending lexeme has three ways to end, tried in this order: in the middle, in the right context, or where
        # it was last a terminal.
        scanner = self.lexer.scanners[self.lexer.modes.scanner_of[state.stack]]
        if any(self.viable_as(terminal, configuration) for terminal in scanner.becomes(state.at)):
            return True
        if (self.seam.whole or self.seam.text) and self._viable_across(configuration):
            return True
        if state.rest and state.accepted >= 0:
            fallen = configuration.fallen_back(self.lexer, self.stacks)
            if self.seam.whole and not (fallen is None or self._may_fall_back(state, fallen.lexer)):
                # Only where the text ends. What follows in the right context was looked at above.
                return not self.seam.text and configuration.finished(self.lexer, self.stacks)
            return fallen is not None and self.viable(fallen)
        return False

    def _may_fall_back(self, state: LexerState, fallen: LexerState) -> bool:
        """Return whether more text may end the pending lexeme where it was last a terminal; see `Fallbacks`."""
        automata = self.lexer.modes.scanner_of
        if fallen.accepted >= 0:
            return self.lexer.scanners[automata[state.stack]].comes_to_nothing[state.at]
        return self.lexer.fallbacks.may_fall_back(automata[state.stack], state.at, automata[fallen.stack], fallen.at)

    def viable_as(self, terminal: int, configuration: Configuration) -> bool:
        """Return whether the pending lexeme may end as a terminal within the middle."""
        # `Configuration.ended_as` is written out here, because this runs for each terminal that a token may end as.
        heads, state = configuration
        if terminal in self.lexer.compiled.errors:
            return False
        way = self.lexer.modes.known_transition(state.stack, terminal)
        if way is None:
            return False
        blank = state.line is not None
        after = heads
        if way.is_seen(blank=blank):
            after = self.stacks.shift(heads, terminal)
            if not after:
                return False
        # The middle goes on after the lexeme, but not with a terminal that the lexeme would run on into.
        follows = self.adjacency.after(state.stack, state.at, terminal, blank=blank)
        if follows is None:
            return self.intersection.viable(after)
        if any(self.intersection.viable(self.stacks.shift(after, following)) for following in follows):
            return True
        if self.intersection.ends_anywhere and self.stacks.shift(after, self.lexer.compiled.end):
            return True
        return self._viable_beside(terminal, configuration)

    def _viable_beside(self, terminal: int, configuration: Configuration) -> bool:
        """Return whether the lexeme after the pending one can begin in the middle and go on into the right context.

        Only lexemes that the grammar does not see, such as blanks and comments, may come between the two.
        """
        ended = [(configuration, terminal)]
        seen: set[tuple[int, int]] = set()
        while ended:
            (heads, state), terminal = ended.pop()
            scanner = self.lexer.scanners[self.lexer.modes.scanner_of[state.stack]]
            for at in sorted(scanner.reachable(state.at)):
                if scanner.accepts[at] != terminal or (state.stack, at) in seen:
                    continue
                seen.add((state.stack, at))
                for character in self.adjacency.characters(state.stack, terminal):
                    over = Configuration(heads, state._replace(at=at, accepted=terminal, rest=""))
                    begun = self._begin(over, character)
                    if begun is None:
                        continue
                    if self._viable_across(begun):
                        return True
                    ended += [(begun, unseen) for unseen in self._unseen(begun.lexer)]
        return False

    def _begin(self, configuration: Configuration, character: str) -> Configuration | None:
        """Return the configuration after the first character of the next lexeme.

        None if the character goes on with the pending lexeme, or begins no lexeme.
        """
        state = configuration.lexer
        if self.lexer.scanners[self.lexer.modes.scanner_of[state.stack]].steps[state.at][character] >= 0:
            return None
        begun = configuration.read(self.lexer, self.stacks, character)
        return None if begun is None or begun.lexer.at == START else begun

    def _unseen(self, state: LexerState) -> list[int]:
        """Return the terminals that the pending lexeme may end as without the grammar seeing it."""
        scanner = self.lexer.scanners[self.lexer.modes.scanner_of[state.stack]]
        known_transition = self.lexer.modes.known_transition
        ways = ((terminal, known_transition(state.stack, terminal)) for terminal in sorted(scanner.becomes(state.at)))
        return [terminal for terminal, way in ways if way is not None and way.ignored]

    def _viable_across(self, configuration: Configuration) -> bool:
        """Return whether the pending lexeme can go on so that the right context follows without another lexeme."""
        heads, (stack, indents, line, at, _, _) = configuration
        automaton = self.lexer.modes.scanner_of[stack]
        scanner = self.lexer.scanners[automaton]
        outcomes, accepts = self.seam.outcomes[automaton], scanner.accepts
        tried: set[tuple[int, int]] = set()
        for target in sorted(scanner.reachable(at)):
            outcome = outcomes[target]
            accepted = accepts[target]
            if outcome[0] == FALLBACK or (outcome[0] == CLEAN and accepted < 0):
                continue
            key = outcome if 0 <= outcome[0] < OPEN else (outcome[0], accepted)
            if key not in tried:
                tried.add(key)
                # `accepting` sees only the outcome of a state, so one state stands for all with the same outcome.
                standing = _new(LexerState, (stack, indents, line, target, accepted, ""))
                if self.accepting(_new(Configuration, (heads, standing))):
                    return True
        return False
