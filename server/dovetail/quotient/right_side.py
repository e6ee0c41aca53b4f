"""Everything that is known of one right context, over the stacks of one text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.lexing.seam import Seam
from dovetail.parsing.suffix import SuffixAutomaton
from dovetail.quotient.closing import Closings
from dovetail.quotient.expectations import Expecting
from dovetail.quotient.judge import Judge

if TYPE_CHECKING:
    from dovetail.parsing.stack import Stacks
    from dovetail.quotient.language import Language


class RightSide:
    """A right context read once; quotients of the same text at the same place share it."""

    def __init__(self, language: Language, stacks: Stacks, text: str) -> None:
        self.language = language
        self.lexer = language.lexer
        self.stacks = stacks
        self.text = text
        seam = Seam(language.lexer, text)
        self.judge = Judge(
            language.lexer, language.following, stacks, seam, SuffixAutomaton(language.suffix_grammar, seam)
        )

    @cached_property
    def closings(self) -> Closings:
        """The shortest closings."""
        return Closings(self)

    @cached_property
    def expecting(self) -> Expecting:
        """What finds the terminals that may come next."""
        return Expecting(self)
