"""The tables of languages, and of a model's tokens in them: made once, and read by every request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dovetail

if TYPE_CHECKING:
    from dovetail.masking.mask import Masker
    from dovetail.vocabulary.vocabulary import Vocabulary


class LanguageTables:
    """The tables of one completer; `host/shared.py` has those that several completers share."""

    def __init__(self) -> None:
        self._languages: dict[tuple[str, str | None], dovetail.Language] = {}  # name, version → language

    def language(self, name: str, target: str | None) -> dovetail.Language:
        """Return a language at a version, None for its newest. Raises GrammarError for an unknown version."""
        key = name, target
        if key not in self._languages:
            self._languages[key] = dovetail.load_language(name, target=target)
        return self._languages[key]

    def check(self, name: str, target: str | None) -> None:
        """Raise GrammarError if a grammar does not know a version."""
        self.language(name, target)

    def masker(self, language: dovetail.Language, vocabulary: Vocabulary) -> Masker:
        """Return the masks of a model's tokens in a language."""
        return new_masker(language, vocabulary)


def new_masker(language: dovetail.Language, vocabulary: Vocabulary) -> Masker:
    """Make the masks of a model's tokens in a language."""
    # This imports numpy, which only those need who have a model.
    from dovetail.masking.mask import Masker

    return Masker(language, vocabulary)
