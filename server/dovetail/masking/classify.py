"""Classification: all tokens of a vocabulary read at once from one state of the lexer.

The pass follows `Lexer.lex`, one character of each token at a time, on arrays. Tokens that complete the same
terminals and leave the lexer in the same state are one class, so the parser is asked once for each class.

Two things depend on the text around and stay open. The columns of layout are kept as the blanks that make them. A
token that leaves the mode in which it began is read up to there; the rest of it is a suffix, one of the texts of
another vocabulary, which is read where the modes around are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dovetail.masking.class_builder import ClassBuilder
from dovetail.masking.interned_tree import InternedTree
from dovetail.masking.overrun import Overruns
from dovetail.masking.token_classes import STAYED, StartState, TokenClasses
from dovetail.masking.token_texts import UNREAD
from dovetail.masking.transition_table import EMIT, END_LINE, IGNORE, LEAVE, LEAVE_UNSEEN, REFUSE, TransitionTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dovetail.lexing.lexer import Lexer
    from dovetail.masking.alphabet import Alphabet
    from dovetail.masking.token_texts import TokenTexts


class Classifier:
    """Classifies the texts of vocabularies in one language."""

    def __init__(self, lexer: Lexer, alphabet: Alphabet) -> None:
        self.lexer = lexer
        self.alphabet = alphabet
        self.overruns = Overruns(lexer, alphabet)
        self.terminal_count = lexer.compiled.productions.terminal_count
        bases = np.cumsum([0, *(len(scanner.accepts) for scanner in lexer.scanners.every())])
        self.bases = bases.astype(np.int32)
        """Automaton → its start state where the states of all automata are numbered together."""
        self.steps: NDArray[np.int32] = np.concatenate(
            # One table for all automata, so that texts in different modes take a step together. No step stays below 0.
            [self._rows(number) + (self._rows(number) >= 0) * base for number, base in enumerate(bases[:-1])]
        ).astype(np.int32)
        """State, class of character → next state, or below 0."""
        self.accepts: NDArray[np.int32] = np.concatenate(
            [np.array(scanner.accepts, np.int32) for scanner in lexer.scanners.every()]
        )
        self.is_start = np.zeros(len(self.accepts), bool)
        self.is_start[self.bases[:-1]] = True
        self.is_content = np.zeros(len(self.accepts), bool)
        layout = lexer.compiled.layout
        if layout is not None:
            base = self.bases[lexer.compiled.modes[layout.mode].automaton]
            self.is_content[[base + state for state in lexer.content]] = True
        self.blanks = sorted(lexer.blanks)
        self.blank_of = np.full(len(alphabet.samples), -1, np.int32)
        """Class of character → the blank that it is, or -1."""
        for number, sample in enumerate(alphabet.samples):
            if sample in lexer.blanks:
                self.blank_of[number] = self.blanks.index(sample)
        self.is_error = np.zeros(self.terminal_count, bool)
        self.is_error[list(lexer.compiled.errors)] = True

    def _rows(self, number: int) -> NDArray[np.int32]:
        automaton = self.lexer.scanners[number].automaton
        columns = [automaton.class_of(sample) for sample in self.alphabet.samples]
        return np.array(automaton.rows, np.int32)[:, columns]

    def classify(self, texts: TokenTexts, start: StartState) -> TokenClasses:
        """Return the classes of texts from one start state.

        Where a terminal is pending, only the texts that go on with it (`goes_on`) are read: for the others it is
        over, and they are read as from the state after it. So that state's classes serve all pending terminals.
        """
        return _Reading(self, texts, start).classes()

    def is_settled_by(self, start: StartState) -> bool:
        """Return whether a character that does not go on with the pending lexeme ends it where it is."""
        return start.accepted >= 0 and not start.overrun and not self.is_error[start.accepted]

    def goes_on(self, texts: TokenTexts, stack: int, at: int) -> NDArray[np.bool_]:
        """Return for each text whether it is empty or its first character goes on with a lexeme (shape [texts])."""
        row = self.steps[self.bases[self.lexer.modes.scanner_of[stack]] + at] >= 0
        found = np.ones(len(texts), bool)
        some = texts.starts < texts.ends
        found[some] = row[texts.characters[texts.starts[some]]]
        return found


class _Reading:
    """One pass over many texts; the arrays hold one entry for each text that is not read to its end yet."""

    def __init__(self, classifier: Classifier, texts: TokenTexts, start: StartState) -> None:
        self.classifier = classifier
        self.continuation = classifier.lexer.continuation
        self.count = len(texts)
        self.transitions = TransitionTable(classifier.lexer, classifier.bases.tolist())
        # Room for 64 layouts beside the terminals. The tree grows if there are more.
        self.sequences = InternedTree(classifier.terminal_count + 64)
        self.layouts = InternedTree(len(classifier.blanks) + 2)
        self.finished = ClassBuilder(self.transitions, self.sequences, self.layouts)
        self.held, self.fresh = len(classifier.blanks), len(classifier.blanks) + 1
        self.fresh_line = int(self.layouts.follow(np.zeros(1, np.int32), np.array([self.fresh], np.int32))[0])

        overrun = classifier.alphabet.classes(start.overrun)
        self.characters, self.suffixes = texts.characters, texts.suffixes
        starts, stops = texts.starts, texts.ends
        if len(overrun):
            # If the lexeme falls back, its overrun is read again, before the text.
            self.characters, self.suffixes, starts, stops = _prefixed(texts, overrun)
        size = self.count
        first = self.transitions.number(start.stack)
        self.index = np.arange(size, dtype=np.uint32)
        self.at = np.full(size, self.transitions.starts[first] + start.at, np.int32)
        self.stack = np.full(size, first, np.int32)
        self.accepted = np.full(size, start.accepted, np.int32)
        self.position = starts + len(overrun)
        self.since = starts.copy()  # where the overrun begins
        self.stop = stops.copy()
        self.blank = np.full(size, start.blank)
        self.layout = np.zeros(size, np.int32)
        self.sequence = np.zeros(size, np.int32)
        # The other texts end the pending terminal at once. They are read from the state after it, whose classes are
        # shared by all pending terminals.
        if classifier.is_settled_by(start):
            self._keep(classifier.goes_on(texts, start.stack, start.at))

    def classes(self) -> TokenClasses:
        """Read all texts to their ends and return their classes."""
        classifier = self.classifier
        while len(self.index):
            self._finish()
            if not len(self.index):
                break
            character = self.characters[self.position]
            target = classifier.steps[self.at, character]
            over = target < 0
            stays = self.blank & classifier.is_start[self.at] & ~over
            blanks = classifier.blank_of[character]
            # Blanks before content make the column and begin no lexeme, as in `Lexer.lex`: the state stays at the
            # start.
            widens = stays & (blanks >= 0)
            self.layout[widens] = self.layouts.follow(self.layout[widens], blanks[widens])
            begins = stays & ~widens & classifier.is_content[target]
            symbols = classifier.terminal_count + self.layout[begins]
            self.sequence[begins] = self.sequences.follow(self.sequence[begins], symbols)
            self.blank[begins] = False
            moves = ~over & ~widens
            # Where the lexeme is over, the character is read again by the next one.
            self.position += ~over
            self.at[moves] = target[moves]
            accepted = classifier.accepts[target]
            accepts = moves & (accepted >= 0)
            self.accepted[accepts] = accepted[accepts]
            self.since[accepts] = self.position[accepts]
            if over.any():
                self._end_lexemes(over)
        return self.finished.classes(
            self.count, self.characters, classifier.alphabet, classifier.overruns, classifier.blanks
        )

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        # The arrays shrink as texts end. Most tokens are a few characters long, so the long ones cost little.
        for name in ("index", "at", "stack", "accepted", "position", "since", "stop", "blank", "layout", "sequence"):
            setattr(self, name, getattr(self, name)[kept])

    def _finish(self) -> None:
        """Record the texts that are read to their ends."""
        done = self.position == self.stop
        if not done.any():
            return
        overrun = self.position - self.since
        # Where nothing was accepted, or an error was, the lexeme cannot fall back, so its overrun makes no difference.
        overrun[(self.accepted < 0) | self.classifier.is_error[self.accepted]] = 0
        layout = np.where(self.blank, self.layout, -1)
        self._record(done, overrun, layout, np.full(len(overrun), STAYED))
        self._keep(~done)

    def _record(
        self,
        chosen: NDArray[np.bool_] | NDArray[np.int64],
        overrun: NDArray[np.int64],
        layout: NDArray[np.int64],
        suffix: NDArray[np.int64],
    ) -> None:
        columns = (self.index, self.sequence, self.stack, self.at, self.accepted, layout, overrun, self.since, suffix)
        self.finished.add(*(column[chosen] for column in columns))

    def _end_lexemes(self, over: NDArray[np.bool_]) -> None:
        """End the lexemes that do not go on, each as its last terminal; drop the texts whose lexeme had none."""
        terminals = self.accepted[over]
        ends = (terminals >= 0) & ~self.classifier.is_error[terminals]
        kept = ~over
        kept[over] = ends
        over &= kept
        self._keep(kept)
        ended = np.flatnonzero(over[kept])
        effects, after = self.transitions.of(self.stack[ended], self.accepted[ended])
        leaves = (effects == LEAVE) | (effects == LEAVE_UNSEEN)
        goes_on = ~leaves & (effects != REFUSE)
        kept = np.ones(len(self.index), bool)
        kept[ended[~goes_on]] = False
        ends_line = ended[effects == END_LINE]
        # The end of a line without content means nothing to the grammar.
        emits = np.concatenate([ended[(effects == EMIT) | (effects == LEAVE)], ends_line[~self.blank[ends_line]]])
        self.sequence[emits] = self.sequences.follow(self.sequence[emits], self.accepted[emits])
        starts = self.transitions.starts
        if leaves.any():
            left = ended[leaves]
            self.at[left] = starts[self.stack[left]]
            nothing = np.zeros(len(self.index), np.int64)
            suffix = nothing.copy()
            # The mode around is not known here. The rest of the text is left to the place where it is.
            suffix[left] = self.suffixes[self.since[left]]
            # A rest that is not among the suffixes is asked for text by text, so each is a class of its own.
            unread = left[suffix[left] == UNREAD]
            suffix[unread] -= self.index[unread]
            self._record(left, nothing, np.where(self.blank, self.layout, -1), suffix)
        ignored = ended[effects == IGNORE]
        holds = ignored[self.blank[ignored] & (self.accepted[ignored] == self.continuation)]
        self.layout[holds] = self.layouts.follow(self.layout[holds], np.full(len(holds), self.held, np.int32))
        self.layout[ends_line] = self.fresh_line
        self.blank[ends_line] = True
        self.stack[ended] = after
        self.at[ended] = starts[after]
        # The overrun is read again, so `1else` becomes `1` and `else`.
        self.position[ended] = self.since[ended]
        self.accepted[ended] = -1
        if not goes_on.all():
            self._keep(kept)


def _prefixed(
    texts: TokenTexts, overrun: NDArray[np.uint16]
) -> tuple[NDArray[np.uint16], NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Return the characters, suffixes, starts and ends of texts with the same characters put before each."""
    lengths = texts.ends - texts.starts + len(overrun)
    ends = np.cumsum(lengths)
    begins = ends - lengths
    place = np.arange(int(lengths.sum())) - np.repeat(begins, lengths)
    inside = place >= len(overrun)
    source = (np.repeat(texts.starts, lengths) + place - len(overrun))[inside]
    characters = np.empty(len(place), np.uint16)
    characters[inside] = texts.characters[source]
    characters[~inside] = overrun[place[~inside]]
    suffixes = np.full(len(place), UNREAD, np.int32)
    suffixes[inside] = texts.suffixes[source]
    return characters, suffixes, begins, ends
