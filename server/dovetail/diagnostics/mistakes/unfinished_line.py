"""Unfinished line: a line that ends where something has to follow, so that the next line is read as a part of it.

`value = self.` above `local other` is read on: the name is `local`, and what follows it does not fit. `a = b +` above
`c = 1` assigns to a sum.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.closing_parts import up_to_closer
from dovetail.diagnostics.expected_class import expected_classes
from dovetail.diagnostics.flaw import MIRRORED, brackets_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant, remedy
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.markup.tags import is_in_content
from dovetail.diagnostics.mistakes.comma_for_semicolon import for_comma
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import named_few
from dovetail.lexing.lexemes import last_lexeme
from dovetail.parsing.configuration import Configuration
from dovetail.quotient.quoted import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.quotient.machine import Machine
    from dovetail.quotient.right_side import RightSide

_MEMBER, _BRACE, _COMMA, _END = ".", "{", ",", ";"
_NEXT_MEMBER = re.compile(r"\??\.[^\W\d]")
"""The beginning of a line that goes on with a value on the line above."""
_ASSIGNED = re.compile(r"\??\.[\w.$]+[ \t]*[-+*/%&|^?]{0,2}=(?![=>])")
"""The beginning of a line that gives a value to a member: the line above is no part of it."""
_WORD = re.compile(r"[^\W\d]\w*")
_GOES_ON = frozenset(",;([{)]}")
"""The last signs of lines that are finished, or go on below."""
_VALUES = ("x", "0", "x,", "0,")
"""The values that may be lost: a name, which most values, types and members may be, or a value of a language without
names. With it a comma may be lost."""
_CLOSING = " )]}"
_QUOTES = frozenset("\"'`_")
_COMPARED = " == 0"
"""A sign and a value that may follow a value such as `true`, but no other word."""
_FEW_AFTER_VALUES = 2
"""The most things that may follow a name or a value which is not all that was meant, as `import name`."""
_FEW = 6
"""The most things that may be lost that a message names."""


def find_unfinished_line(machine: Machine, right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the line above a fault at an offset if it is not finished; None otherwise.

    It may not end where it ends. With a name there, or the least that may follow, the line of the fault fits, below it
    or behind it, and the next one. A line that is deeper goes on with the one above it, unless that one ends with the
    sign before a member's name.
    """
    # The line end of Windows may begin with a blank.
    offset -= text.startswith("\r\n", offset - 1)
    begin = line_start(text, offset)
    if right.lexer.compiled.layout is not None and not _is_in_brackets(right, text[:begin]):
        return None
    last = last_lexeme(right.lexer, text[:begin])
    sign = "" if last is None else text[last.start : last.end].rstrip()
    if last is not None and sign in (_END, _COMMA) and _NEXT_MEMBER.match(text, content_at(text, begin)):
        resumed = content_at(text, begin)
        return None if _ASSIGNED.match(text, resumed) else _surplus(right, text, last.start, offset)
    is_list = sign == _COMMA and _begins_with_keyword(right, text, offset)
    if last is None or (sign in _GOES_ON and not is_list):
        return None
    surplus = _surplus(right, text, last.start, offset) if is_list else None
    if surplus is not None:
        return surplus
    end = last.start + len(sign)
    is_member = sign == _MEMBER
    if not is_member and line_column(text, offset) > line_column(text, end - 1):
        return None
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
    if at is None or fits(right, at, f"{text[end : line_end(text, offset)]}\n"):
        return None
    if is_in_content(right, at):
        return None  # Anything fits there as text.
    stops = (line_end(text, content_after(text, offset)), line_end(text, offset))
    lost = [*_lost(right, at, text, end), *_closed(right, text, end)]
    if right.lexer.compiled.mistakes.closed_by:
        begun = text[line_start(text, end) : end]
        lost = [within for each in lost if (within := within_block(right, begun, each))]
    tried = [(each, end, stop) for stop in stops for each in lost]
    resumed = content_at(text, begin)
    if text.startswith(_BRACE, resumed):
        # A line end behind what is lost may end the statement, so the brace of its block comes first.
        tried += [(f"{each} {_BRACE}{text[end:resumed]}", resumed + 1, stop) for stop in stops for each in lost]
    fitting = ((each, place) for each, place, stop in tried if fits(right, at, f"{each}{text[place:stop]}\n"))
    found, place = next(fitting, ("", end))
    words = words_of_end(machine, right, at, text[:end], sign) if found else None
    if words is None:
        return None
    meant = Meant(end, place, found, is_sure=True)
    if is_member and found.strip()[:1].isidentifier():
        return Hint(end - 1, f"expected a name after `{_MEMBER}`", meant)
    opened = find_flaw(right.lexer, text[:end])
    if found.strip() in MIRRORED.values() and opened is not None and opened.offset < line_start(text, end):
        return Hint(opened.offset, opened.message, meant)  # The list is a whole one but for its end.
    return Hint(end, words, meant)


def _begins_with_keyword(right: RightSide, text: str, offset: int) -> bool:
    """Return whether the line of a fault has it at its first word, a keyword, where columns mean nothing."""
    word = _WORD.match(text, content_at(text, line_start(text, offset)))
    compiled = right.lexer.compiled
    return compiled.layout is None and word is not None and offset <= word.end() and word.group() in compiled.literals


def _surplus(right: RightSide, text: str, sign: int, offset: int) -> Hint | None:
    """Return the hint for a comma or semicolon at the end of a line without which that of a fault fits; else None."""
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:sign])
    rest = f"{text[sign + 1 : line_end(text, offset)]}\n"
    if at is None or not fits(right, at, f" {rest}"):
        return None
    meant = for_comma(right, at, text, rest) if text[sign] == _COMMA else " "
    words = f"`{text[sign]}` does not fit at the end of this line; {remedy(meant)}"
    return Hint(sign, words, Meant(sign, sign + 1, meant, is_sure=True))


def _is_in_brackets(right: RightSide, text: str) -> bool:
    """Return whether a bracket is open at the end of a text."""
    opened = find_flaw(right.lexer, text)
    return opened is not None and opened.is_open and text[opened.offset] in MIRRORED


def _lost(right: RightSide, at: Configuration, text: str, end: int) -> Iterator[str]:
    """Yield what may be lost at the end of a line, at an offset.

    What closes a brace of a line further up is not: the next line is no deeper, and stands in these braces too.
    """
    for value in _VALUES:
        yield f" {value}"
    ended = at.ended_as(right.lexer, right.stacks, at.lexer.accepted)
    least = None if ended is None else right.closings.closing(ended)
    opened = find_flaw(right.lexer, text[:end]) if least and least.startswith(MIRRORED[_BRACE]) else None
    # Words that end blocks are no brackets.
    has_words = bool(right.lexer.compiled.mistakes.closed_by)
    within = "" if has_words or not least else up_to_closer(least, _open_here(right, text, end))
    if within:
        yield f" {within}"
    # What a half-written tag lacks is a part of what closes the element around it.
    is_whole = not within or (right.lexer.compiled.mistakes.elements and within != least)
    if least and is_whole and (opened is None or opened.offset >= line_start(text, end)):
        yield f" {least}"


def _open_here(right: RightSide, text: str, end: int) -> int:
    """Return how many of the brackets that are open where a line ends the line itself opens."""
    return sum(start >= line_start(text, end) for start, _ in brackets_of(right.lexer, text[:end]).opened)


def within_block(right: RightSide, begun: str, closing: str) -> str:
    """Return a closing up to the word that ends a block which the begun line, or the closing, does not open."""
    mistakes = right.lexer.compiled.mistakes
    closers = frozenset(mistakes.closed_by.values())
    depth = 0
    for word in _WORD.finditer(f"{begun}{closing}"):
        before = mistakes.goes_on.get(word.group(), ())
        if word.group() in closers:
            depth -= 1
        elif word.group() in mistakes.closed_by and not any(re.search(rf"\b{each}\b", begun) for each in before):
            depth += 1
        if depth < 0 and word.start() > len(begun):
            within = closing[: word.start() - len(begun)]
            if not within.strip():
                return ""  # Nothing is lost: the line is a whole one.
            return within if within.strip(_CLOSING) else ""  # Of brackets alone, the opener is named.
    return closing


def _closed(right: RightSide, text: str, end: int) -> Iterator[str]:
    """Yield a value with the end of the bracket that the line that ends at an offset opens, which is lost with it."""
    if right.lexer.compiled.layout is not None or not _is_in_brackets(right, text[:end]):
        return
    opened = find_flaw(right.lexer, text[:end])
    if opened is not None and opened.offset >= line_start(text, end):
        yield f" {_VALUES[0]}{MIRRORED[text[opened.offset]]}"


def words_of_end(machine: Machine, right: RightSide, at: Configuration, text: str, last: str) -> str | None:
    """Return the message about a text that ends with a lexeme; None where much may follow a name or a value."""
    ended = at.ended_as(right.lexer, right.stacks, at.lexer.accepted) or at
    wanted = right.expecting.expectations(ended)
    line_ends = {each.terminal for each in wanted if not each.text.strip()}
    classes = expected_classes(machine, [each for each in wanted if each.terminal not in line_ends], ended.lexer.stack)
    names = list(dict.fromkeys(each.name for each in classes))
    is_value = (last[-1].isalnum() or last[-1] in _QUOTES) and (
        last not in right.lexer.compiled.literals or fits(right, at, _COMPARED)
    )
    if len(names) <= (_FEW_AFTER_VALUES if is_value else _FEW):
        return f"expected {named_few(machine, text, len(text), names)} at the end of this line"
    if is_value:
        return None
    return f"expected more at the end of this line, after {quoted(last)}"
