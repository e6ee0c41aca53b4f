"""Texts that are nearly right: one to three random changes of words, characters and fragments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from dovetail.grammar.compiled import Compiled

WORDS = re.compile(r"\w+|[ \t]+|\n[ \t]*|[^\w\s]|\s")
"""A rough idea of the lexemes of any language."""

_COMMON = [
    "\n",
    "\r\n",
    "\t",
    "\f",
    "\v",
    " ",
    "x",
    "1",
    "0",
    "_",
    '"',
    "'",
    "`",
    "\\",
    "é",
    "\xa0",
    "\u2028",
    "\x00",
    "\ufeff",
]
"""Fragments for every language: blanks, quotes, and characters that lexers treat apart."""


class Mutation:
    """Changes texts at random."""

    def __init__(self, fragments: Sequence[str]) -> None:
        """Take pieces of programs, good and bad, to be put in."""
        self.fragments = fragments
        self._changes: list[Callable[[Random, str], str]] = [
            self._lose_character,
            self._insert,
            self._insert,
            self._lose_word,
            self._repeat_word,
            self._replace_word,
            self._swap_words,
            self._end_early,
            self._write_anew,
        ]

    def mutated(self, random: Random, text: str) -> str:
        """Return the text with one to three random changes."""
        for _ in range(random.choice([1, 1, 1, 2, 3])):
            text = random.choice(self._changes)(random, text)
        return text

    def _lose_character(self, random: Random, text: str) -> str:
        place = random.randrange(len(text) + 1)
        return text[:place] + text[place + 1 :]

    def _insert(self, random: Random, text: str) -> str:
        place = random.randrange(len(text) + 1)
        return text[:place] + random.choice(self.fragments) + text[place:]

    def _lose_word(self, random: Random, text: str) -> str:
        words = WORDS.findall(text)
        if words:
            del words[random.randrange(len(words))]
        return "".join(words)

    def _repeat_word(self, random: Random, text: str) -> str:
        words: list[str] = WORDS.findall(text)
        if words:
            place = random.randrange(len(words))
            words.insert(place, words[place])
        return "".join(words)

    def _replace_word(self, random: Random, text: str) -> str:
        words: list[str] = WORDS.findall(text) or [""]
        words[random.randrange(len(words))] = random.choice(self.fragments)
        return "".join(words)

    def _swap_words(self, random: Random, text: str) -> str:
        words = WORDS.findall(text)
        if len(words) > 1:
            first, second = random.sample(range(len(words)), 2)
            words[first], words[second] = words[second], words[first]
        return "".join(words)

    def _end_early(self, random: Random, text: str) -> str:
        return text[: random.randrange(len(text) + 1)]

    def _write_anew(self, random: Random, text: str) -> str:
        return "".join(random.choice(self.fragments) for _ in range(random.randint(0, 3)))


def fragments_of(compiled: Compiled, words: Sequence[str]) -> list[str]:
    """Return fragments of a language: its literals, with and without a blank after words, and `words`.

    `words` are lexemes of its other terminals.
    """
    literals = [literal for literal in compiled.literals if literal]
    spaced = [f"{literal} " for literal in literals if literal[-1].isalnum()]
    return [*dict.fromkeys([*literals, *spaced, *words, *_COMMON])]
