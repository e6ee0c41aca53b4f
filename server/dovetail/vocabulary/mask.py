"""Which tokens of a whole vocabulary may come next: exactly those by which the state can be advanced.

A mask is packed bits: token t is bit t % 8 (the lowest is 0) of byte t // 8, so read as little-endian words of 32
bits it is the bitmask of the usual decoding libraries. Special tokens are never in it; whether a text may end is
the caller's to read from `state.accepting`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import platformdirs

from dovetail.lexing.modes import NOTHING
from dovetail.quotient.characters import split_characters
from dovetail.vocabulary.alphabet import Alphabet
from dovetail.vocabulary.ending import Endings
from dovetail.vocabulary.grouping import Grouping
from dovetail.vocabulary.groups import Beginning
from dovetail.vocabulary.openness import Openness
from dovetail.vocabulary.outline import Outlines
from dovetail.vocabulary.shelf import Shelf
from dovetail.vocabulary.spellings import Spelled
from dovetail.vocabulary.table import Table
from dovetail.vocabulary.walk import Scene, Walker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from dovetail.parsing.stack import Heads, Node
    from dovetail.quotient.language import Language
    from dovetail.quotient.state import State
    from dovetail.vocabulary.vocabulary import Vocabulary
    from dovetail.vocabulary.walk import Found

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
    mask: NDArray[np.uint8] | None
    """The tokens that the parser takes, where all is decided."""


class Masker:
    """Masks for one language and one vocabulary; what it learns in one text serves all."""

    def __init__(self, language: Language, vocabulary: Vocabulary, folder: Path | None = None) -> None:
        """Prepare for a vocabulary; its groups are kept in `folder`, by default in the user's cache."""
        self.language = language
        self.vocabulary = vocabulary
        lexer = language.lexer
        self.alphabet = Alphabet(lexer)
        self.spelled = Spelled(vocabulary, lexer, self.alphabet)
        self.grouping = Grouping(lexer, self.alphabet)
        self.endings = Endings(lexer, language.following)
        self.outlines = Outlines(language.compiled, language.chains)
        self.walker = Walker(lexer, self.endings, self.outlines, self._suffix_table)
        self.shelf = Shelf(folder or platformdirs.user_cache_path("dovetail") / "masks", lexer, vocabulary)
        self._tables: dict[Beginning, Table] = {}
        self._suffix_tables: dict[Beginning, Table] = {}
        self._entries: dict[tuple[Beginning, Scene, Heads], _Entry] = {}
        self._openness = Openness(language.compiled)

    def mask(self, state: State) -> NDArray[np.uint8]:
        """Return the tokens that a state may be advanced by, as packed bits (shape [⌈tokens / 8⌉])."""
        quotient, heads, lexer_state, partial = state.parts()
        if partial:
            return self._inside_character(state, partial)
        if not heads:
            return self._pack([])
        modes = self.language.lexer.modes
        stack, indents, line, at, accepted, rest = lexer_state
        relative = modes.push(modes.entries[stack][0], NOTHING)
        table = self.table(self.grouping.rests.plainest(Beginning(relative, at, accepted, rest, line is not None)))
        scene = Scene(stack, indents, line)
        entry, frontier, bottom = self._entry(table, scene, heads)
        assert entry.mask is not None
        found = entry.found
        if self._openness.holds(quotient.judge.connection, frontier, bottom):
            if not found.asked:
                return entry.mask.copy()
            return entry.mask | self._pack(self._ask(state, table, found.asked))
        return self._pack(self._ask(state, table, found.taken + found.asked))

    def forget(self) -> None:
        """Let go of what was learnt from texts; the groups stay."""
        self._entries.clear()
        self.walker.clear()

    def table(self, beginning: Beginning) -> Table:
        """Return the groups of the vocabulary's tokens from one beginning."""
        found = self._tables.get(beginning)
        if found is None:
            found = self._tables[beginning] = self._make("tokens", beginning)
        return found

    def _suffix_table(self, beginning: Beginning) -> Table:
        found = self._suffix_tables.get(beginning)
        if found is None:
            found = self._suffix_tables[beginning] = self._make("suffixes", beginning)
        return found

    def _make(self, kind: str, beginning: Beginning) -> Table:
        groups = self.shelf.read(kind, beginning)
        if groups is None:
            spellings = self.spelled.whole if kind == "tokens" else self.spelled.suffixes
            groups = self.grouping.read(spellings, beginning)
            self.shelf.write(kind, beginning, groups)
        return Table(self.language.lexer, self.endings, beginning, groups)

    def _entry(self, table: Table, scene: Scene, heads: Heads) -> tuple[_Entry, tuple[Node, ...], bool]:
        """Return what the parser takes, with the nodes below those that were looked at, or the bottom."""
        seen = self.walker.seen(table, scene)
        before: Found | None = None
        for depth in _depths():
            outline, frontier, bottom = self.outlines.of(heads, depth)
            key = (table.beginning, seen, outline)
            entry = self._entries.get(key)
            if entry is None:
                if before is None:
                    found = self.walker.begin(table, scene, outline)
                else:
                    found = self.walker.go_on(table, scene, outline, before)
                mask = None
                if found.complete:
                    mask = self._pack(self.spelled.owners[table.spellings(found.taken)])
                entry = self._entries[key] = _Entry(found, mask)
            if entry.mask is not None:
                return entry, frontier, bottom
            before = entry.found
        raise AssertionError("an outline that is the whole stack decides everything")

    def _ask(self, state: State, table: Table, groups: list[int]) -> NDArray[np.uint32]:
        """Return the tokens of those groups of which one, asked by itself, fits."""
        whole = self.spelled.whole
        taken = []
        for group in groups:
            first = int(np.argmax(table.groups.of == group))
            text = self.alphabet.text(whole.classes[whole.starts[first] : whole.ends[first]])
            if state.advance(text) is not None:
                taken.append(group)
        return self.spelled.owners[table.spellings(taken)]

    def _pack(self, tokens: NDArray[np.uint32] | list[int]) -> NDArray[np.uint8]:
        allowed = np.zeros(self.spelled.token_count, bool)
        allowed[tokens] = True
        return np.packbits(allowed, bitorder="little")

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
        return self._pack(taken)


def unpack(mask: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return a mask as one truth value for each token (shape [8 × bytes]); those beyond the last token are false."""
    return np.unpackbits(mask, bitorder="little").view(np.bool_)
