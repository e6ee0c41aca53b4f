"""Second word: the word that a lexeme of two words lacks, or has misspelt, as in `export async fucntion load() {}`.

`async function` is one lexeme, since `async` alone is a name. So the text stops fitting within the second word.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start, rest_of_line
from dovetail.diagnostics.mistakes.guess import alike
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_TWO_WORDS = re.compile(r"(?=(?<![\w$.])(?P<first>[^\W\d]\w*)[ \t]+(?P<second>[^\W\d][\w$]*))")
"""Two words side by side; the second may be the first of the next two."""


def find_second_word(right: RightSide, text: str, start: int, offset: int) -> Hint | None:
    """Return the hint for the second word of a lexeme that is misspelt or missing at a fault; None if neither is.

    `start`: where the lexeme at the fault begins, which is its first word, or the second one if only that is wrong.
    """
    literals = right.lexer.compiled.literals
    pairs = _TWO_WORDS.finditer(text, line_start(text, start), line_end(text, offset))
    found = next((pair for pair in pairs if pair.start("second") <= offset <= pair.end("second")), None)
    if found is None or start not in (found.start(), found.start("second")) or found["first"] not in literals:
        return None
    meant = _second_words(right, found["first"])
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[: found.start()])
    is_last = not rest_of_line(text, found.end("second")).strip()
    if at is None or not meant or is_last or found["second"] in meant:
        return None
    (place, end), written = found.span("second"), found["second"]
    lead = text[found.start() : place]
    foreign = right.lexer.compiled.mistakes.meant.get(written)
    for word in [foreign] if foreign in meant else alike(meant, written):
        # Without the blank a word at the end of the line could go on as a name.
        if fits(right, at, f"{lead}{word}{rest_of_line(text, end)} "):
            remedy = f"write `{word}`" if word == foreign else f"perhaps it should be `{word}`"
            return Hint(place, f"`{written}` does not fit here; {remedy}", Meant(place, end, word, is_sure=True))
    for word in sorted(meant) if written not in literals else ():
        if fits(right, at, f"{lead}{word} {rest_of_line(text, place)} "):
            return Hint(place, f"expected `{word}` before the name", Meant(place, place, f"{word} ", is_sure=True))
    return None


def _second_words(right: RightSide, first: str) -> set[str]:
    """Return the keywords that make one lexeme with a word before them."""
    lexer = right.lexer
    scanner = lexer.scanners[lexer.modes.scanner_of[lexer.start.stack]]
    words = {word for word in lexer.compiled.literals if word is not None and word.isalpha()}
    errors = lexer.compiled.errors

    def is_second(word: str) -> bool:
        terminal, end = scanner.longest(f"{first} {word}", 0)
        return end == len(first) + 1 + len(word) and terminal >= 0 and terminal not in errors

    return {word for word in words if is_second(word)}
