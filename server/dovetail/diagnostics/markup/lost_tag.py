"""Lost tag: one that opens an element, of which the content and the closing tag are left.

The elements in it then stand side by side, and the closing tag closes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.markup.early_slash import find_early_slash
from dovetail.diagnostics.markup.tags import are_closed, tag_name, tags
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import line_and_column
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_ANY = "<>"
"""A tag that opens an element without a name."""
_TAG = re.compile(r"<\s*/?\s*([\w$.:-]*)")
_CLOSING_TAG = re.compile(r"</\s*([\w$.:-]*)\s*>")


def find_lost_tag(right: RightSide, text: str, first: int) -> Hint | None:
    """Return the hint for a tag that is lost before the element at an offset, the first of some side by side.

    With the tag, all elements up to the closing tag end by their own names, and the text fits beyond it. None if no
    closing tag below is left over.
    """
    closing = _closing_tag(right.lexer, text, first)
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:first])
    if closing is None or at is None:
        return None
    early = find_early_slash(right, text, closing.start())
    if early is not None:
        return early
    tag = f"<{closing[1]}>"
    around = _names_around(right.lexer, text[:first])
    if around[-1:] == [closing[1]]:
        made, begun = text[:first] + tag + text[first:], closing.start() + len(tag)
        if not are_closed(right.lexer, made, begun, around):
            return None  # It closes the element around.
    beyond = line_end(text, content_after(text, closing.end()))
    if not any(fits(right, at, f"{tag}{text[first:end]}\n") for end in (beyond, line_end(text, closing.end()))):
        return None
    line, _ = line_and_column(text, closing.start())
    words = f"perhaps `{tag}` is missing here, for `{closing.group()}` on line {line} closes nothing"
    return Hint(first, words, Meant(first, first, tag, is_sure=True))


def _names_around(lexer: Lexer, text: str) -> list[str]:
    """Return the names of the elements that are open at the end of a text."""
    names: list[str] = []
    for place, begun, _ in tags(lexer, text):
        if begun:
            names.append(tag_name(text, place))
        elif names:
            names.pop()
    return names


def _closing_tag(lexer: Lexer, text: str, first: int) -> re.Match[str] | None:
    """Return the tag that closes an element which opens at an offset; None if one inside ends by another name."""
    made = text[:first] + _ANY + text[first:]
    names: list[str] = []
    for place, begun, _ in tags(lexer, made):
        found = _TAG.match(made, place)
        if place <= first or found is None:
            continue
        if begun:
            names.append(found[1])
        elif names:
            if names.pop() != found[1]:
                return None
        else:
            return _CLOSING_TAG.match(text, place - len(_ANY))
    return None
