"""The texts of the tokens of a vocabulary, as arrays of classes of characters.

A token whose bytes end inside a character has several texts, one for each way in which the lexer may read that
character once it is whole. Such a token fits if one of its texts does.
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
"""The suffix at a character before which no mode can end; each number below stands for one text alone."""


class TokenTexts:
    """Texts by the classes of their characters, and their suffixes from each place where a mode may end."""

    def __init__(self, texts: Sequence[str], alphabet: Alphabet) -> None:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        self.ends: NDArray[np.int64] = np.cumsum(lengths)
        """Text → its end in `characters`."""
        self.starts: NDArray[np.int64] = self.ends - lengths
        """Text → its beginning in `characters`."""
        self.characters: NDArray[np.uint16] = alphabet.classes("".join(texts))
        """The characters of all texts, one text after the other, by their classes (shape [characters])."""
        self.suffixes: NDArray[np.int32] = np.full(len(self.characters), UNREAD, np.int32)
        """Character → the number of its text from there on among `VocabularyTexts.suffixes`, or UNREAD."""

    def __len__(self) -> int:
        return len(self.ends)

    def keys(self, closing: NDArray[np.bool_]) -> dict[bytes, list[int]]:
        """Return suffix → its places in `characters`, for each suffix after a character that may end a mode.

        `closing`: class → whether a lexeme that ends a mode may end with it. A suffix is given as the bytes of its
        classes, so suffixes that are read alike are one.
        """
        found: dict[bytes, list[int]] = {}
        places = np.flatnonzero(closing[self.characters]) + 1
        # The text that a character is in is the first one that ends after it.
        ends = self.ends[np.searchsorted(self.ends, places - 1, "right")]
        for place, end in zip(places.tolist(), ends.tolist(), strict=True):
            if place < end:
                found.setdefault(self.characters[place:end].tobytes(), []).append(place)
        return found


class VocabularyTexts:
    """The texts of a vocabulary's tokens, and the suffixes of these texts, which are texts too."""

    def __init__(self, vocabulary: Vocabulary, lexer: Lexer, alphabet: Alphabet) -> None:
        count = len(vocabulary.pieces)
        self.byte_count = (count + 7) // 8
        """The bytes that hold one bit for each token; texts beyond are further ones of tokens that have several."""
        # Filled up to whole bytes, so that further texts begin at a byte and `tokens` can cut them off.
        texts = [""] * (8 * self.byte_count)
        present = np.zeros(len(texts), bool)
        owners: list[int] = []
        self.inside: list[int] = []
        """The tokens that may follow half a character."""
        for token, piece in enumerate(vocabulary.pieces):
            if piece is None:
                continue
            # Such a byte goes on with a character and begins none.
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
        """The tokens that have a text, as packed bits."""
        self.owners: NDArray[np.uint32] = np.array(owners, np.uint32)
        """Further text → its token."""
        self.whole = TokenTexts(texts, alphabet)
        """The whole texts; text t is the first of token t."""
        closing = _closing(lexer, alphabet)
        keys = self.whole.keys(closing)
        numbers = {key: number for number, key in enumerate(keys)}
        # A suffix of a suffix is a suffix of a token, so there are no others.
        self.suffixes = TokenTexts([alphabet.text(np.frombuffer(key, np.uint16)) for key in numbers], alphabet)
        """The suffixes of tokens after the characters that may end a mode."""
        for part, found in ((self.whole, keys), (self.suffixes, self.suffixes.keys(closing))):
            for key, places in found.items():
                part.suffixes[places] = numbers[key]

    def tokens(self, texts: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the tokens that have one of some texts, both as packed bits."""
        found = texts[: self.byte_count] & self.present
        if len(self.owners):
            further = np.unpackbits(texts[self.byte_count :], count=len(self.owners), bitorder="little")
            owners = self.owners[further.view(np.bool_)]
            # Several further texts may be of one byte of tokens. Plain indexing would keep only the last of them.
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


def pack(numbers: NDArray[np.int64], count: int) -> NDArray[np.uint8]:
    """Return some of `count` numbers as packed bits.

    >>> pack(np.array([0, 9]), 16).tolist()
    [1, 2]
    """
    chosen = np.zeros(count, bool)
    chosen[numbers] = True
    return np.packbits(chosen, bitorder="little")
