"""Surplus tag: a closing tag that is one too many, with more below it in the element around.

The grammar does not compare the names of tags, so the tag closes the element around it, and what follows is read as
comparisons and regular expressions. Without the tag, all elements around it end by their own names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start
from dovetail.diagnostics.markup.early_slash import find_early_slash
from dovetail.diagnostics.markup.tags import are_closed, is_behind_same, is_in_content, is_in_tag, tag_name, tags
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_CLOSING_TAG = re.compile(r"</\s*[\w$.:-]*\s*>")
_CLOSING_TAGS = re.compile(r"</\s*[\w$.:-]*\s*>(?:[ \t]*</\s*[\w$.:-]*\s*>)*")
_CONTENT = re.compile(r"[^\r\n]")
_MOST_TAGS = 4
"""The most closing tags of a line that are tried."""


def find_surplus_tag(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the closing tag above a fault at an offset that closes nothing; None if there is none."""
    lexer = right.lexer
    if not lexer.compiled.mistakes.elements:
        return None
    opened: list[tuple[str, int]] = []
    early: list[tuple[int, list[str]]] = []  # closing tags that may be too early, and the names of what they close
    for place, begun, _ in tags(lexer, text[: offset + 1]):
        name = tag_name(text, place)
        if begun:
            opened.append((name, place))
        elif not opened:
            break
        elif opened[-1][0] == name:
            if _is_early(text, opened[-1][1], place):
                early.append((place, [each for each, _ in opened]))
            opened.pop()
        else:
            found = _CLOSING_TAGS.match(text, place)
            one = _CLOSING_TAG.match(text, place)
            names = [each for each, _ in opened]
            hints = (None if tag is None else _without(right, text, tag, names) for tag in (one, found))
            hint = find_early_slash(right, text, place) or next((hint for hint in hints if hint is not None), None)
            if hint is None and found is not None and is_behind_same(text, place) and _fits_without(right, text, found):
                return _leave_out(found)
            return hint
    if early:
        place, names = early[-1]
        tag = _CLOSING_TAG.match(text, place)
        hint = None if tag is None else _without(right, text, tag, names)
        if hint is not None:
            return hint
    return _behind_element(right, text, offset)


def _without(right: RightSide, text: str, tag: re.Match[str], names: list[str]) -> Hint | None:
    """Return the hint for closing tags without which all elements around, of some names, end by their own names."""
    blank = _CONTENT.sub(" ", tag.group())
    if not are_closed(right.lexer, text[: tag.start()] + blank + text[tag.end() :], tag.start(), names):
        return None
    return _leave_out(tag)


def _leave_out(tag: re.Match[str]) -> Hint:
    """Return the hint for closing tags that are too many."""
    blank = _CONTENT.sub(" ", tag.group())
    return Hint(tag.start(), f"`{tag.group()}` closes nothing", Meant(tag.start(), tag.end(), blank, is_sure=True))


def _is_early(text: str, opener: int, closer: int) -> bool:
    """Return whether a closing tag stands deeper than the line of its opener, or behind something else on its line."""
    start = line_start(text, closer)
    is_first = content_at(text, start) == closer
    return opener < start and not (is_first and line_column(text, closer) == line_column(text, opener))


def _behind_element(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for closing tags behind an element in brackets, on the line of a fault; None if none are.

    The first is read as less-than and a regular expression. Without them the text fits.
    """
    begun = Configuration((right.stacks.bottom,), right.lexer.start)
    start, stop = line_start(text, offset), line_end(text, offset)
    found = [tag for tag in _CLOSING_TAGS.finditer(text, start, stop) if tag.start() <= offset]
    found = [each for tag in found[-_MOST_TAGS:] for each in _parts(text, tag)]
    for tag in found:
        if not text[: tag.start()].rstrip().endswith(">"):
            continue
        at = begun.read(right.lexer, right.stacks, text[: tag.start()])
        if at is None or is_in_content(right, at) or is_in_tag(right, at) or _has_opener(right, text, tag):
            continue
        if _is_bracket_closed(right, text, tag) and _fits_without(right, text, tag):
            return _leave_out(tag)
    return None


def _is_bracket_closed(right: RightSide, text: str, tag: re.Match[str]) -> bool:
    """Return whether the innermost bracket around closing tags is closed without them; else it is half-written."""
    opened = find_flaw(right.lexer, text[: tag.start()])
    if opened is None or not opened.is_open:
        return True
    without = text[: tag.start()] + _CONTENT.sub(" ", tag.group()) + text[tag.end() :]
    return closer_of(right.lexer, without, opened.offset) is not None


def _fits_without(right: RightSide, text: str, tag: re.Match[str]) -> bool:
    """Return whether a text without closing tags fits up to the end of their line, or of the next one."""
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[: tag.start()])
    blank = _CONTENT.sub(" ", tag.group())
    stops = (line_end(text, content_after(text, tag.end())), line_end(text, tag.end()))
    return at is not None and any(fits(right, at, f"{blank}{text[tag.end() : end]}\n") for end in stops)


def _has_opener(right: RightSide, text: str, tag: re.Match[str]) -> bool:
    """Return whether a tag before a closing one of its name, in the innermost bracket around it, is not closed.

    It was read as less-than and a name.
    """
    opened = find_flaw(right.lexer, text[: tag.start()])
    begin = opened.offset if opened is not None and opened.is_open else 0
    name = re.escape(tag_name(text, tag.start()))
    before = text[begin : tag.start()]
    begun = len(re.findall(rf"<\s*{name}(?![\w$.:-])(?![^<>]*/>)", before))
    return begun > len(re.findall(rf"</\s*{name}\s*>", before))


def _parts(text: str, tag: re.Match[str]) -> list[re.Match[str]]:
    """Return the ends of a row of closing tags, the longest first: some of the first may close elements."""
    parts = [tag]
    while (following := _CLOSING_TAG.match(text, parts[-1].start())) and following.end() < tag.end():
        place = content_at(text, following.end())
        rest = _CLOSING_TAGS.match(text, place)
        if rest is None:
            break
        parts.append(rest)
    return parts
