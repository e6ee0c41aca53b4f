"""Doubled word: a name or a keyword that stands twice side by side, as in `f(value value)` and `return return x`.

A comma or an operator between them would fit as well, and make another program.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import MIRRORED, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.mistakes.doubled_value import KEYED
from dovetail.diagnostics.mistakes.foreign_form import IS_MISSING, find_foreign_form
from dovetail.diagnostics.mistakes.item_lists import item_lists, list_around
from dovetail.diagnostics.mistakes.lost_comma import is_next_result
from dovetail.diagnostics.mistakes.lost_operator import is_comma_likely
from dovetail.diagnostics.mistakes.open_template import find_open_template
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.quotient.right_side import RightSide

_TWICE = re.compile(r"(?<![\w$])(?P<word>[^\W\d][\w$]*)(?P<blank>[ \t])(?P<second>(?P=word))(?![\w$])")
"""A word twice, with one blank between: several stood around a sign that is lost."""
_ALONE = re.compile(r"[ \t]*[\w.\[\]]*[\w\]][ \t]\w+[ \t]*;?[ \t]*\Z")
"""A line of two names and nothing else."""
_AND = "and"
"""The word between two conditions, in languages in which it gives one of their values."""
_IS_VALUE = re.compile(r"(?:(?<![=!<>])=|\(|\b(?:return|if|elif|elseif|while|and|or|not))[ \t]*\Z")
"""The text before a value that may be a condition."""
_GOES_ON = re.compile(r"[ \t]*(?:==|(?![,;:=\w\s)\]}\"'`])|(?<=[ \t])(?P<word>[^\W\d]\w*))")
"""The text behind a name that is the beginning of a longer value."""
_COMMA = ","
_BRACE = "{"
_GROUP = "("
_VALUE = "0"
_PART = re.compile(r"[.\[]")
_ASSIGNMENT = "= 0"


def find_doubled_word(
    right: RightSide, read: Sequence[Configuration], text: str, base: int, offset: int, lexeme: int
) -> Hint | None:
    """Return the hint for a word that stands twice before or at a fault, with one of which all fits; None otherwise.

    `read`: the configurations before each character from `base` on. `offset`: that of the fault, and `lexeme` that of
    the lexeme there. Where a statement may begin in any place, the text stops fitting behind the second word.
    """
    content = len(text[:offset].rstrip())
    end = line_end(text, offset)
    pairs = list(_TWICE.finditer(text, line_start(text, content), end))
    for found in reversed(pairs):
        second = found.start("second")
        if second > offset or _is_other_likely(right, text, found):
            continue
        # The next pair is another mistake.
        stop = min((each.start("second") for each in pairs if each.start() > second), default=end)
        at = Configuration((right.stacks.bottom,), right.lexer.start)
        before = at.read(right.lexer, right.stacks, text[: found.end("word")])
        if before is None or not fits(right, before, f"{text[found.end() : stop]}\n"):
            continue
        field = find_open_template(right, text, offset)
        if field is not None and line_start(text, second) <= field.offset < second:
            return field  # What follows the first word is the text behind a field, which lacks its end.
        form = find_foreign_form(right, read, text, base, offset, lexeme)
        if form is not None and (form.words or "").startswith(IS_MISSING):
            return form  # A word is lost between them, as in `[x x in items]`.
        if _is_element(right, before, text, found, stop):
            remedy = f"perhaps a `{_COMMA}` is missing between them, or one of them is too many"
        elif _is_and_lost(right, before, text, found):
            remedy = f"perhaps an `{_AND}` is missing between them, or one is too many"
        else:
            remedy = "leave it out"
        words = f"`{found['word']}` does not fit after `{found['word']}`; {remedy}"
        return Hint(second, words, Meant(second, found.end(), "", is_sure=True))
    return None


def _is_element(right: RightSide, before: Configuration, text: str, found: re.Match[str], stop: int) -> bool:
    """Return whether the second of two equal words may begin the next element of a list, as in `swap(i i // 2)`.

    More stands behind it in its element, so that the two values are not the same. `before`: the configuration behind
    the first word. `stop`: the end of the line, or of what fits of it.
    """
    compiled, second = right.lexer.compiled, found.start("second")
    is_name = found["word"] not in compiled.literals or found["word"] in compiled.mistakes.values
    goes_on = _GOES_ON.match(text, found.end())
    if not is_name or goes_on is None or (goes_on["word"] and goes_on["word"] not in compiled.literals):
        return False
    own = list_around(item_lists(right.lexer, text), second)
    if own is None or not is_comma_likely(right, text, second):
        return False
    if own.sign == _GROUP and not own.is_call and len(own.items) == 1:
        return False
    if any(KEYED.match(text, start, second) for start, end in own.items if start <= second < end):
        return False
    if own.sign == _BRACE and compiled.blocks and not fits(right, before, f"{_COMMA}{MIRRORED[_BRACE]}"):
        return False
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    opened = begun.read(right.lexer, right.stacks, text[: own.opener + 1])
    if opened is None or not fits(right, opened, _VALUE):
        return False  # Of two parameters none has a name that another has.
    return fits(right, before, f"{_COMMA} {text[second:stop]}\n")


def _is_and_lost(right: RightSide, before: Configuration, text: str, found: re.Match[str]) -> bool:
    """Return whether the second of two equal words may be one of which only a part is asked for, as in `a and a[0]`.

    `before`: the configuration behind the first one.
    """
    if _AND not in right.lexer.compiled.literals or not _PART.match(text, found.end()):
        return False
    if not _IS_VALUE.search(text, line_start(text, found.start()), found.start()):
        return False
    return fits(right, before, f" {_AND} {text[found.start('second') : line_end(text, found.end())]}\n")


def _is_other_likely(right: RightSide, text: str, found: re.Match[str]) -> bool:
    """Return whether a sign between two equal words is as likely: that of an assignment, or a comma between results."""
    compiled = right.lexer.compiled
    if is_next_result(text, found.start("second")):
        return True
    is_value = found["word"] in compiled.mistakes.values
    is_alone = found["word"] not in compiled.literals and _is_alone(right, text, found)
    if not is_value and not is_alone:
        return False
    at = Configuration((right.stacks.bottom,), right.lexer.start)
    before = at.read(right.lexer, right.stacks, text[: found.end("word")])
    return before is not None and fits(right, before, f" {_ASSIGNMENT}\n")


def _is_alone(right: RightSide, text: str, found: re.Match[str]) -> bool:
    """Return whether two equal words are all of a line, which is a statement: no list is open there."""
    line = text[line_start(text, found.start()) : line_end(text, found.end())]
    if _ALONE.match(line) is None:
        return False
    opened = find_flaw(right.lexer, text[: found.start()])
    return opened is None or not opened.is_open or text[opened.offset] not in ("(", "[")
