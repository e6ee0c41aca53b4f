"""What must hold of a language before it runs; each failure names the rule and the remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.grammar.reading import GrammarText


def check_language(compiled: Compiled, grammar: GrammarText) -> None:
    """Raise GrammarError if the language cannot be run exactly."""
