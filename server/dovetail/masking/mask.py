"""Which tokens of a whole vocabulary may come next: exactly those by which the state can be advanced.

A mask is packed bits: token t is bit t % 8 (the lowest is 0) of byte t // 8, so read as little-endian words of 32
bits it is the bitmask of the usual decoding libraries. Special tokens are never in it; whether a text may end is
the caller's to read from `state.accepting`.

What makes it fast: tokens are grouped ahead of time by what they come to (`grouping`); a token that ends the
pending terminal is looked up at the state after it, so most places share few tables; what the parser takes is
asked of outlines of the stack, which are the same in many texts (`outline`, `walk`); and nearly always one look at
the right context tells that all of it can go on (`openness`). Where that does not hold, as in languages whose
texts cannot go on once they are whole, each group that the parser takes is asked for by itself: exact as well, and
slower. What is met for the first time costs milliseconds, and so does a state of the lexer whose groups are not on
disk yet.
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
from dovetail.masking.class_filter import ClassFilter, Scene
from dovetail.masking.class_table import ClassTable
from dovetail.masking.classify import Classifier
from dovetail.masking.requirement import Requirements
from dovetail.masking.stack_prefix import StackPrefixes
from dovetail.masking.token_classes import Beginning
from dovetail.masking.token_texts import Spelled, pack
from dovetail.quotient.state import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from dovetail.engine.language import Language
    from dovetail.lexing.lexer import Emission, LexerState
    from dovetail.masking.class_filter import Found
    from dovetail.parsing.stack import Heads, Node
    from dovetail.vocabulary.vocabulary import Vocabulary

_PLAIN = re.compile(rb"[\w\s]+")
_MOST_BYTES = 32 << 20  # of spellings as packed bits; they are quickly made again


def _depths() -> Iterator[int]:
    """Yield how deep outlines are, one after the other."""
    depth = 1
    while True:
        yield depth
        depth += 1 + depth // 4


@dataclass(slots=True)
class _Entry:
    """What is known of one table over one outline."""

    found: Found
    bits: NDArray[np.uint8] | None
    """The spellings that it takes, packed; None where more of the stack has to be known."""


class Masker:
    """Masks for one language and one vocabulary; what it learns in one text serves all."""

    def __init__(self, language: Language, vocabulary: Vocabulary, folder: Path | None = None) -> None:
        """Prepare for a vocabulary; its groups are kept in `folder`, by default in the user's cache."""
        self.language = language
        self.vocabulary = vocabulary
        self.machine = machine = language.machine
        lexer = machine.lexer
        self.alphabet = Alphabet(lexer)
        self.spelled = Spelled(vocabulary, lexer, self.alphabet)
        self.grouping = Classifier(lexer, self.alphabet)
        self.endings = Requirements(lexer, machine.adjacency)
        self.outlines = StackPrefixes(machine.compiled, machine.chains)
        self.walker = ClassFilter(lexer, self.endings, self.outlines, self._suffix_table)
        self.shelf = ClassCache(folder or platformdirs.user_cache_path("dovetail") / "masks", lexer, vocabulary)
        self._tables: dict[Beginning, ClassTable] = {}
        self._suffix_tables: dict[Beginning, ClassTable] = {}
        self._entries: dict[tuple[int, int], _Entry] = {}  # view, outline → what is known
        self._byte_count = 0
        self._ends: dict[tuple[int, int], NDArray[np.uint8]] = {}  # automaton, state → spellings
        self._openness = AlwaysViable(machine.compiled)
        self._most_opened = max((len(_PLAIN.sub(b"", piece)) for piece in vocabulary.pieces if piece), default=0)
        """No token opens more than it has characters that are neither blanks nor part of a word."""

    def mask(self, state: State) -> NDArray[np.uint8]:
        """Return the tokens that a state may be advanced by, as packed bits (shape [⌈tokens / 8⌉])."""
        _, heads, lexer_state, partial = state.parts()
        if partial:
            return self._inside_character(state, partial)
        if not heads:
            return np.zeros(self.spelled.byte_count, np.uint8)
        if self.walker.full:
            self.forget()
        elif self._byte_count > _MOST_BYTES:
            self._forget_entries()
        beginning = self._beginning(lexer_state)
        spellings = self._going_on(state, beginning)
        if self.grouping.is_settled_by(beginning):
            settled = self._settle(state)
            if settled is not None:
                after = self._going_on(settled, self._beginning(settled.parts()[2]))
                spellings |= after & self._ending(beginning)
        return self._shallow(state, self.spelled.tokens(spellings))

    def _shallow(self, state: State, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a mask less the tokens that open more than may be open; groups do not know how much is open."""
        modes = self.machine.lexer.modes
        if not 0 < modes.deepest < modes.depths[state.parts()[2].stack] + self._most_opened:
            return mask
        pieces = self.vocabulary.pieces
        taken = [token for token in np.flatnonzero(unpack(mask)) if state.advance(pieces[token] or b"") is not None]
        return pack(np.array(taken, np.int64), len(self.vocabulary.pieces))

    def _beginning(self, state: LexerState) -> Beginning:
        modes = self.machine.lexer.modes
        relative = modes.push(modes.entries[state.stack][0], NOTHING)
        beginning = Beginning(relative, state.at, state.accepted, state.rest, state.line is not None)
        return self.grouping.rests.plainest(beginning)

    def _settle(self, state: State) -> State | None:
        """Return the state in which the pending terminal is over, or None if the parser does not take it."""
        right, heads, lexer_state, _ = state.parts()
        emissions: list[Emission] = []
        ended = self.machine.lexer.end_lexeme(lexer_state, emissions)
        after = right.stacks.shift_all(heads, emissions) if ended is not None else ()
        return State(right, after, ended) if after and ended is not None else None

    def _ending(self, beginning: Beginning) -> NDArray[np.uint8]:
        """Return the spellings whose first character does not go on with a lexeme, as packed bits."""
        automaton = self.machine.lexer.modes.scanner_of[beginning.stack]
        found = self._ends.get((automaton, beginning.at))
        if found is None:
            goes_on = self.grouping.goes_on(self.spelled.whole, beginning.stack, beginning.at)
            found = self._ends[automaton, beginning.at] = np.packbits(~goes_on, bitorder="little")
        return found

    def _going_on(self, state: State, beginning: Beginning) -> NDArray[np.uint8]:
        """Return the spellings that a state may be advanced by, as packed bits; less those that end a terminal."""
        right, heads, (stack, indents, line, *_), _ = state.parts()
        table = self.table(beginning)
        entry, frontier, bottom = self._entry(table, Scene(stack, indents, line), heads)
        assert entry.bits is not None
        if self._openness.holds(right.judge.intersection, frontier, bottom):
            asked = entry.found.asked
            return entry.bits | self._ask(state, table, asked) if asked else entry.bits.copy()
        return self._ask(state, table, [*entry.found.groups(), *entry.found.asked])

    def forget(self) -> None:
        """Let go of what was learnt from texts; the groups stay."""
        self._forget_entries()
        self.walker.clear()

    def _forget_entries(self) -> None:
        self._entries.clear()
        self._byte_count = 0

    def table(self, beginning: Beginning) -> ClassTable:
        """Return the groups of the vocabulary's tokens from one beginning."""
        found = self._tables.get(beginning)
        if found is None:
            found = self._tables[beginning] = self._make("tokens", beginning)
        return found

    def _suffix_table(self, beginning: Beginning) -> ClassTable:
        found = self._suffix_tables.get(beginning)
        if found is None:
            found = self._suffix_tables[beginning] = self._make("suffixes", beginning)
        return found

    def _make(self, kind: str, beginning: Beginning) -> ClassTable:
        spellings = self.spelled.whole if kind == "tokens" else self.spelled.suffixes
        groups = self.shelf.read(kind, beginning, len(spellings))
        if groups is None:
            groups = self.grouping.read(spellings, beginning)
            self.shelf.write(kind, beginning, groups)
        return ClassTable(self.machine.lexer, self.endings, beginning, groups, suffixes=kind == "suffixes")

    def _entry(self, table: ClassTable, scene: Scene, heads: Heads) -> tuple[_Entry, tuple[Node, ...], bool]:
        """Return what the parser takes, with the nodes below those that were looked at, or the bottom."""
        view = self.walker.view(table, scene)
        for depth in _depths():
            outline, frontier, bottom = self.outlines.of(heads, depth)
            key = (view.number, outline)
            entry = self._entries.get(key)
            if entry is None:
                found = self.walker.tree(view, 0, outline, scene.indents)
                bits = None
                if not found.later:
                    bits = pack(table.spellings(found.groups()), len(self.spelled.whole))
                    self._byte_count += bits.nbytes
                entry = self._entries[key] = _Entry(found, bits)
            if entry.bits is not None:
                return entry, frontier, bottom
        raise AssertionError("an outline that is the whole stack decides everything")

    def _ask(self, state: State, table: ClassTable, groups: Sequence[int]) -> NDArray[np.uint8]:
        """Return the spellings of those groups of which one, asked by itself, fits, as packed bits."""
        whole = self.spelled.whole
        taken = []
        for group in groups:
            first = int(np.argmax(table.groups.of == group))
            text = self.alphabet.text(whole.classes[whole.starts[first] : whole.ends[first]])
            if state.advance(text) is not None:
                taken.append(group)
        return pack(table.spellings(taken), len(whole))

    def _inside_character(self, state: State, partial: bytes) -> NDArray[np.uint8]:
        """Return the mask of a state that has half a character: tokens that read alike are asked once."""
        answers: dict[tuple[bytes, bytes], bool] = {}
        taken = []
        for token in self.spelled.inside:
            piece = self.vocabulary.pieces[token]
            assert piece is not None
            split = split_characters(partial + piece)
            if split is None:
                continue
            key = (self.alphabet.classes(split[0]).tobytes(), split[1])
            if key not in answers:
                answers[key] = state.advance(piece) is not None
            if answers[key]:
                taken.append(token)
        return pack(np.array(taken, np.int64), len(self.vocabulary.pieces))


def unpack(mask: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return a mask as one truth value for each token (shape [8 × bytes]); those beyond the last token are false."""
    return np.unpackbits(mask, bitorder="little").view(np.bool_)
