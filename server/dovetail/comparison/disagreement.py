"""Disagreement: a text about which the engine and a language's real parser disagree, and the kinds of such texts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAMED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|‘[^’]*’|\d+""")
_LONGEST = 100  # characters of a message that tell one kind from another


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A disagreement about the text `left + middle + closing + right`."""

    check: str
    """The question: `text`, `middle`, `closing`, `report` (of a mistake in a text that the parser accepts), `whole`
    (quotient and whole text differ), `tolerance` or `mask`."""
    left: str
    middle: str
    right: str
    engine: str
    """The engine's answer, in words."""
    parser: str
    """The real parser's answer, or that which the engine gave to the same question asked otherwise."""
    message: str = ""
    """The objection of the one that refuses."""
    source: str = ""
    """The place that the text comes from: a file, a derivation."""
    grain: int = 0
    """Characters of the pieces in which the middle was handed over; 0 for a whole text."""
    closing: str = ""
    """The closing of the middle, where that is in question."""
    reported: bool = False
    """True if the grammar is too loose, and `Language.errors` reports the text all the same."""

    @property
    def kind(self) -> str:
        """The words that findings of one cause have in common, as far as messages tell: without names and numbers."""
        general = " ".join(_NAMED.sub("…", self.message).split())
        return f"{self.check}: {self.engine}, {self.parser}: {general[:_LONGEST]}"

    @property
    def text(self) -> str:
        """The whole text."""
        return self.left + self.middle + self.closing + self.right


class Disagreements:
    """Counts of all findings, and the shortest of each kind."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.shortest: dict[str, Disagreement] = {}

    def add(self, found: Iterable[Disagreement]) -> None:
        """Add findings."""
        for finding in found:
            kind = finding.kind
            self.counts[kind] += 1
            if kind not in self.shortest or len(finding.text) < len(self.shortest[kind].text):
                self.shortest[kind] = finding

    def __len__(self) -> int:
        return self.counts.total()
