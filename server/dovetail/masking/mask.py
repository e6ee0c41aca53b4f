"""Masks: exactly the tokens of a vocabulary by which a state can be advanced.

A mask is packed bits: token t is bit t % 8 (the lowest is 0) of byte t // 8. Read as little-endian words of 32 bits
it is the bitmask of the usual decoding libraries. Special tokens are never in it; the caller reads from
`state.accepting` whether the text may end.

`README.md` in this folder derives how a mask is made, step by step, with an example.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import platformdirs

from dovetail.lexing.modes import NOTHING
from dovetail.lexing.utf8 import split_characters
from dovetail.masking.alphabet import Alphabet
from dovetail.masking.always_viable import AlwaysViable
from dovetail.masking.class_cache import ClassCache
from dovetail.masking.class_filter import ClassFilter
from dovetail.masking.class_table import ClassTable
from dovetail.masking.classify import Classifier
from dovetail.masking.filter_result import Surroundings
from dovetail.masking.requirement import Requirements
from dovetail.masking.stack_prefix import StackPrefixes
from dovetail.masking.token_classes import StartState
from dovetail.masking.token_texts import VocabularyTexts, pack
from dovetail.quotient.state import State
from dovetail.quotient.window_state import WindowState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from dovetail.engine.language import Language
    from dovetail.lexing.lexer import LexerState
    from dovetail.masking.filter_result import FilterResult
    from dovetail.parsing.stack import Heads, Node
    from dovetail.vocabulary.vocabulary import Vocabulary

_PLAIN = re.compile(rb"[\w\s]+")
_MOST_BYTES = 32 << 20  # Packed bits beyond this are forgotten: they are quickly made again.


def _depths() -> Iterator[int]:
    """Yield the depths of prefixes to try, one after the other; nearly always one of the first is enough.

    >>> [depth for depth, _ in zip(_depths(), range(8), strict=False)]
    [1, 2, 3, 4, 6, 8, 11, 14]
    """
    # The steps grow with the depth: each one walks from the top of the stack again, so a deep stack needs few of them.
    depth = 1
    while True:
        yield depth
        depth += 1 + depth // 4


@dataclass(slots=True)
class _Filtered:
    """A table filtered by a prefix of the stack."""

    result: FilterResult
    bits: NDArray[np.uint8] | None
    """The texts of the classes that fit, as packed bits; None where a deeper prefix has to decide."""


class Masker:
    """Makes masks for one language and one vocabulary; everything learned in one text serves all texts."""

    def __init__(self, language: Language, vocabulary: Vocabulary, folder: Path | None = None) -> None:
        """Prepare for a vocabulary; its classes are cached in `folder`, by default in the user's cache folder."""
        self.language = language
        self.vocabulary = vocabulary
        self.machine = machine = language.machine
        lexer = machine.lexer
        self.alphabet = Alphabet(lexer)
        self.texts = VocabularyTexts(vocabulary, lexer, self.alphabet)
        self.classifier = Classifier(lexer, self.alphabet)
        self.requirements = Requirements(lexer, machine.adjacency)
        self.prefixes = StackPrefixes(machine.compiled, machine.chains)
        self.class_filter = ClassFilter(lexer, self.requirements, self.prefixes, self._suffix_table)
        self.class_cache = ClassCache(folder or platformdirs.user_cache_path("dovetail") / "masks", lexer, vocabulary)
        self._tables: dict[StartState, ClassTable] = {}
        self._suffix_tables: dict[StartState, ClassTable] = {}
        self._results: dict[tuple[int, int], _Filtered] = {}  # placed table, prefix → result
        self._byte_count = 0
        self._ends: dict[tuple[int, int], NDArray[np.uint8]] = {}  # automaton, state → texts
        self._always_viable = AlwaysViable(machine.compiled)
        self._most_opened = max((len(_PLAIN.sub(b"", piece)) for piece in vocabulary.pieces if piece), default=0)
        """No token opens more than it has characters that are neither blanks nor part of a word."""

    def mask(self, state: State) -> NDArray[np.uint8]:
        """Return the tokens that a state may be advanced by, as packed bits (shape [⌈tokens / 8⌉])."""
        _, (heads, lexer_state), partial = state.parts()
        if isinstance(state, WindowState):
            return self._asked(state)
        if partial:
            return self._inside_character(state, partial)
        if not heads:
            return np.zeros(self.texts.byte_count, np.uint8)
        # Only between masks: within one, numbers of prefixes have to stay what they are.
        if self.class_filter.full:
            self.forget()
        elif self._byte_count > _MOST_BYTES:
            self._forget_filtered()
        start = self._start_state(lexer_state)
        texts = self._going_on(state, start)
        if self.classifier.is_settled_by(start):
            settled = self._settle(state)
            if settled is not None:
                after = self._going_on(settled, self._start_state(settled.parts()[1].lexer))
                # Read after the lexeme, a token may be one that would go on with it: after `x`, `y` begins no new name.
                texts |= after & self._ending(start)
        return self._shallow(state, self.texts.tokens(texts))

    def _asked(self, state: WindowState) -> NDArray[np.uint8]:
        """Return the mask of a window: every token is asked, from the state after another that it begins with.

        Classes rest on a stack and blocks that are known to their bottom.
        """
        pieces = self.vocabulary.pieces
        taken: list[int] = []
        begun: list[tuple[bytes, State | None]] = [(b"", state)]
        for piece, token in sorted((piece, token) for token, piece in enumerate(pieces) if piece):
            while not piece.startswith(begun[-1][0]):
                begun.pop()
            before, reached = begun[-1]
            after = None if reached is None else reached.advance(piece[len(before) :])
            begun.append((piece, after))
            if after is not None:
                taken.append(token)
        return pack(np.array(sorted(taken), np.int64), len(pieces))

    def _shallow(self, state: State, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a mask without the tokens that open more modes than may be open; classes do not know how many are."""
        modes = self.machine.lexer.modes
        # Near the limit alone (Python: 200 brackets) every token is asked. Elsewhere no token can reach it.
        if not 0 < modes.deepest < modes.depths[state.parts()[1].lexer.stack] + self._most_opened:
            return mask
        pieces = self.vocabulary.pieces
        taken = [token for token in np.flatnonzero(unpack(mask)) if state.advance(pieces[token] or b"") is not None]
        return pack(np.array(taken, np.int64), len(self.vocabulary.pieces))

    def _start_state(self, state: LexerState) -> StartState:
        modes = self.machine.lexer.modes
        relative = modes.push(modes.entries[state.stack][0], NOTHING)
        start = StartState(relative, state.at, state.accepted, state.rest, state.line is not None)
        return self.classifier.overruns.plainest(start)

    def _settle(self, state: State) -> State | None:
        """Return the state in which the pending terminal is over, or None if the parser does not take it."""
        right, configuration, _ = state.parts()
        ended = configuration.ended_as(right.lexer, right.stacks, configuration.lexer.accepted)
        return None if ended is None else State(right, ended)

    def _ending(self, start: StartState) -> NDArray[np.uint8]:
        """Return the texts whose first character does not go on with a lexeme, as packed bits."""
        automaton = self.machine.lexer.modes.scanner_of[start.stack]
        found = self._ends.get((automaton, start.at))
        if found is None:
            goes_on = self.classifier.goes_on(self.texts.whole, start.stack, start.at)
            found = self._ends[automaton, start.at] = np.packbits(~goes_on, bitorder="little")
        return found

    def _going_on(self, state: State, start: StartState) -> NDArray[np.uint8]:
        """Return the texts that a state may be advanced by and that do not end the pending terminal, as packed bits."""
        right, (heads, (stack, indents, line, *_)), _ = state.parts()
        table = self.table(start)
        entry, below, bottom = self._filtered(table, Surroundings(stack, indents, line), heads)
        assert entry.bits is not None
        if self._always_viable.holds(right.recognizer.intersection, below, bottom):
            asked = entry.result.asked
            # Never the entry's own bits: the caller may write on a mask.
            return entry.bits | self._ask(state, table, asked) if asked else entry.bits.copy()
        return self._ask(state, table, [*entry.result.classes(), *entry.result.asked])

    def forget(self) -> None:
        """Forget everything learned from texts; the classes stay."""
        self._forget_filtered()
        self.class_filter.clear()

    def _forget_filtered(self) -> None:
        self._results.clear()
        self._byte_count = 0

    def table(self, start: StartState) -> ClassTable:
        """Return the classes of the vocabulary's tokens from one start state."""
        found = self._tables.get(start)
        if found is None:
            found = self._tables[start] = self._make("tokens", start)
        return found

    def _suffix_table(self, start: StartState) -> ClassTable:
        found = self._suffix_tables.get(start)
        if found is None:
            found = self._suffix_tables[start] = self._make("suffixes", start)
        return found

    def _make(self, kind: str, start: StartState) -> ClassTable:
        texts = self.texts.whole if kind == "tokens" else self.texts.suffixes
        classes = self.class_cache.read(kind, start, len(texts))
        if classes is None:
            classes = self.classifier.classify(texts, start)
            self.class_cache.write(kind, start, classes)
        return ClassTable(self.machine.lexer, self.requirements, start, classes, suffixes=kind == "suffixes")

    def _filtered(
        self, table: ClassTable, surroundings: Surroundings, heads: Heads
    ) -> tuple[_Filtered, tuple[Node, ...], bool]:
        """Return a table filtered by the least deep prefix of the stack that decides all of it.

        Also the stack nodes right below that prefix, and whether the bottom of a stack is inside it.
        """
        placed = self.class_filter.placed(table, surroundings)
        # Shallow first: a prefix of one or two states is that of many stacks, so its result is most likely known.
        for depth in _depths():
            prefix, below, bottom = self.prefixes.of(heads, depth)
            key = (placed.number, prefix)
            entry = self._results.get(key)
            if entry is None:
                result = self.class_filter.result(placed, 0, prefix, surroundings.indents)
                bits = None
                if not result.deferred:
                    bits = pack(table.texts(result.classes()), len(self.texts.whole))
                    self._byte_count += bits.nbytes
                entry = self._results[key] = _Filtered(result, bits)
            if entry.bits is not None:
                return entry, below, bottom
        raise AssertionError("a prefix that is the whole stack decides everything")

    def _ask(self, state: State, table: ClassTable, classes: Sequence[int]) -> NDArray[np.uint8]:
        """Return the texts of the classes that fit, as packed bits; one text of each class is tried."""
        whole = self.texts.whole
        taken = []
        for number in classes:
            # Any text of the class will do. `argmax` of truth values stops at the first true one.
            first = int(np.argmax(table.classes.class_of == number))
            text = self.alphabet.text(whole.characters[whole.starts[first] : whole.ends[first]])
            if state.advance(text) is not None:
                taken.append(number)
        return pack(table.texts(taken), len(whole))

    def _inside_character(self, state: State, partial: bytes) -> NDArray[np.uint8]:
        """Return the mask of a state with half a character; of tokens that read alike one is tried."""
        answers: dict[tuple[bytes, bytes], bool] = {}
        taken = []
        for token in self.texts.inside:
            piece = self.vocabulary.pieces[token]
            assert piece is not None
            split = split_characters(partial + piece)
            if split is None:
                continue
            # By classes and not by characters: most tokens complete some letter, and most letters are of one class.
            key = (self.alphabet.classes(split[0]).tobytes(), split[1])
            if key not in answers:
                answers[key] = state.advance(piece) is not None
            if answers[key]:
                taken.append(token)
        return pack(np.array(taken, np.int64), len(self.vocabulary.pieces))


def unpack(mask: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return a mask as one truth value for each token (shape [8 × bytes]); those beyond the last token are false.

    >>> np.flatnonzero(unpack(np.array([5, 1], np.uint8))).tolist()
    [0, 2, 8]
    """
    return np.unpackbits(mask, bitorder="little").view(np.bool_)
