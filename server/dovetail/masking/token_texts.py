"""What the tokens of a vocabulary spell, as arrays of characters.

A token whose bytes end inside a character has one spelling for each way in which that character may be read once
it is whole: such a token fits if one of them does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dovetail.lexing.utf8 import completions, split_characters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dovetail.lexing.lexer import Lexer
    from dovetail.masking.alphabet import Alphabet
    from dovetail.vocabulary.vocabulary import Vocabulary

UNREAD = -2
"""The suffix at a character before which no mode can end; numbers below stand for one spelling each."""


class TokenTexts:
    """Texts by the classes of their characters, and what is left of each where a mode may end inside it."""

    def __init__(self, texts: Sequence[str], alphabet: Alphabet) -> None:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        self.ends: NDArray[np.int64] = np.cumsum(lengths)
        """Spelling → where it ends in `classes`."""
        self.starts: NDArray[np.int64] = self.ends - lengths
        """Spelling → where it begins there."""
        self.classes: NDArray[np.uint16] = alphabet.classes("".join(texts))
        """The characters of all spellings, by their classes (shape [characters])."""
        self.suffixes: NDArray[np.int32] = np.full(len(self.classes), UNREAD, np.int32)
        """Character → what its spelling is from there on, among the spellings of suffixes, or UNREAD."""

    def __len__(self) -> int:
        return len(self.ends)

    def keys(self, closing: NDArray[np.bool_]) -> dict[bytes, list[int]]:
        """Return what is left after each character that may end a mode → the places where it begins.

        `closing`: class → whether a lexeme that ends a mode may end with it. What is left is given as the bytes of
        its classes, so texts that are read alike are one.
        """
        found: dict[bytes, list[int]] = {}
        places = np.flatnonzero(closing[self.classes]) + 1
        ends = self.ends[np.searchsorted(self.ends, places - 1, "right")]
        for place, end in zip(places.tolist(), ends.tolist(), strict=True):
            if place < end:
                found.setdefault(self.classes[place:end].tobytes(), []).append(place)
        return found


class Spelled:
    """A vocabulary's spellings, and the vocabulary of their suffixes."""

    def __init__(self, vocabulary: Vocabulary, lexer: Lexer, alphabet: Alphabet) -> None:
        count = len(vocabulary.pieces)
        self.byte_count = (count + 7) // 8
        """How many bytes hold a bit for each token; the spellings beyond are those of tokens that have several."""
        texts = [""] * (8 * self.byte_count)
        present = np.zeros(len(texts), bool)
        owners: list[int] = []
        self.inside: list[int] = []
        """The tokens that may follow half a character."""
        for token, piece in enumerate(vocabulary.pieces):
            if piece is None:
                continue
            if not piece or 0x80 <= piece[0] < 0xC0:
                self.inside.append(token)
            split = split_characters(piece)
            if split is None:
                continue
            present[token] = True
            text, begun = split
            first, *others = completions(begun, lexer) if begun else ("",)
            texts[token] = text + first
            texts += [text + character for character in others]
            owners += [token] * len(others)
        self.present: NDArray[np.uint8] = np.packbits(present, bitorder="little")
        """The tokens that spell anything, as packed bits."""
        self.owners: NDArray[np.uint32] = np.array(owners, np.uint32)
        """Further spelling → its token."""
        self.whole = TokenTexts(texts, alphabet)
        """The tokens from their beginnings: spelling t is the first of token t."""
        closing = _closing(lexer, alphabet)
        keys = self.whole.keys(closing)
        numbers = {key: number for number, key in enumerate(keys)}
        # Every suffix of a suffix is one.
        self.suffixes = TokenTexts([alphabet.text(np.frombuffer(key, np.uint16)) for key in numbers], alphabet)
        """What is left of tokens after the characters that may end a mode."""
        for spellings, found in ((self.whole, keys), (self.suffixes, self.suffixes.keys(closing))):
            for key, places in found.items():
                spellings.suffixes[places] = numbers[key]

    def tokens(self, spellings: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the tokens that have one of some spellings, both as packed bits."""
        found = spellings[: self.byte_count] & self.present
        if len(self.owners):
            further = np.unpackbits(spellings[self.byte_count :], count=len(self.owners), bitorder="little")
            owners = self.owners[further.view(np.bool_)]
            np.bitwise_or.at(found, owners >> 3, (1 << (owners & 7)).astype(np.uint8))
        return found


def _closing(lexer: Lexer, alphabet: Alphabet) -> NDArray[np.bool_]:
    """Return for each class whether a lexeme that ends a mode may end with it."""
    closing = np.zeros(len(alphabet.samples), bool)
    for mode in lexer.compiled.modes:
        automaton = lexer.scanners[mode.automaton].automaton
        ending = {state for state, terminal in enumerate(automaton.accepts) if terminal in mode.pop}
        reading = {number for row in automaton.rows for number, target in enumerate(row) if target in ending}
        for number, sample in enumerate(alphabet.samples):
            closing[number] |= automaton.class_of(sample) in reading
    return closing


def pack(spellings: NDArray[np.int64], count: int) -> NDArray[np.uint8]:
    """Return some of `count` spellings as packed bits."""
    chosen = np.zeros(count, bool)
    chosen[spellings] = True
    return np.packbits(chosen, bitorder="little")
