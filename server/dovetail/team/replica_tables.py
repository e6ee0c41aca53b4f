"""The tables of a replica: languages and the masks of its model's tokens, made once for windows and sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.completer.tables import LanguageTables

if TYPE_CHECKING:
    import dovetail
    from dovetail.masking.mask import Masker
    from dovetail.vocabulary.vocabulary import Vocabulary


class ReplicaTables(LanguageTables):
    """The tables of one replica, which has one model; they belong to one thread."""

    def __init__(self) -> None:
        super().__init__()
        self._maskers: dict[dovetail.Language, Masker] = {}

    def masker(self, language: dovetail.Language, vocabulary: Vocabulary) -> Masker:
        """Return the masks of the model's tokens in a language, the same each time."""
        known = self._maskers.get(language)
        if known is None:
            known = self._maskers[language] = super().masker(language, vocabulary)
        return known
