"""Open tag: a tag of a markup that lacks its `>`, or the value of one of its attributes its closing brace.

What follows is then read as a part of the tag or of the value, and stops fitting somewhere behind it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, line_end
from dovetail.diagnostics.markup.open_parts import open_parts
from dovetail.diagnostics.markup.tags import closing_tag, is_in_tag, tag_name
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.diagnostics.markup.open_parts import OpenPart
    from dovetail.quotient.right_side import RightSide

_OPENER = re.compile(r"<\s*/?\s*[\w$.:-]*")
_VALUE_ENDS = re.compile(r"\s*(?<!=)/?>|\s+[\w:-]+=(?=[\"'{])")
_DOUBLED = re.compile(r"<[ \t]*(<[\w$.:-]*)")
_LESS = re.compile(r"<(?=[ \t\d=])")
_CLOSING_TAG = re.compile(r"</\s*\Z")
_CLOSING_NAME = re.compile(r"</\s*([\w$.:-]*)")
_QUOTES = ("'", '"')
_CLOSERS = frozenset(")]}")
_NO_ATTRIBUTES = re.compile(r"[)\]};<]")
"""The signs that stand behind an element, and not between its attributes."""
_MOST_PLACES = 12
"""The most places at which a sign is tried."""


def find_open_tag(right: RightSide, text: str, start: int, offset: int) -> Hint | None:
    """Return the hint for a tag, or a value in it, that is never closed, with which a fault at an offset fits.

    `start`: where the lexeme at the fault begins. The innermost tag comes first. None if tags have no part in it.
    """
    if not right.lexer.compiled.mistakes.elements:
        return None
    # A whole tag is begun like a list of types, and a slash like a comment.
    start = offset if text.startswith("<", start) and start < offset else start
    # In a tag that is not finished, a closing tag stops fitting behind its first sign.
    closing = _CLOSING_TAG.search(text, 0, start + text.startswith("/", start))
    start = start if closing is None else closing.start()
    opened = open_parts(right.lexer, text[: start + text.startswith("/", start)])
    surplus = _surplus(right, text, start, opened[-1] if opened else None)
    if surplus is not None:
        return surplus
    for outer, inner in reversed([*zip(opened, [*opened[1:], None], strict=False)]):
        if outer.kind not in ("tag", "end"):
            continue
        if _LESS.match(text, outer.offset):
            return _less_than(right, text, outer.offset, start)
        value = None if inner is None or inner.kind != "{" else _open_value(right, text, outer, inner, start)
        if value is not None:
            return value
        if (hint := _above_tag(right, text, outer, start) or _unfinished(right, text, outer, start)) is not None:
            return hint
    return None


def _above_tag(right: RightSide, text: str, tag: OpenPart, start: int) -> Hint | None:
    """Return the hint for a tag above a whole one, which is read as the arguments of its type; None if it is not."""
    below = content_after(text, tag.offset)
    ends = tuple(end for end in tag.ends if end < below)
    if tag.kind != "tag" or not ends or text.endswith("/", 0, ends[-1]):
        return None
    if not below < start or not text.startswith("<", below):
        return None
    above = tag._replace(ends=ends)
    if closing_tag(text, tag_name(text, tag.offset), below) is not None:
        return _unfinished(right, text, above, start)
    meant = _without_content(right, text, above, start)
    return None if meant is None else Hint(tag.offset, f"{_words(text, tag)} `/>`", meant)


def _words(text: str, tag: OpenPart) -> str:
    """Return the words about a tag that is not finished, but for the sign that it lacks."""
    opener = _OPENER.match(text, tag.offset)
    assert opener is not None, "a tag begins with its sign"
    return f"`{''.join(opener.group().split())}` is never closed by"


def _surplus(right: RightSide, text: str, start: int, innermost: OpenPart | None) -> Hint | None:
    """Return the hint for a sign too many: one right before a tag, or a closing bracket in a tag; None for neither."""
    second = text.rfind("<", 0, start + 1)
    for place in (second, text.rfind("<", 0, max(second, 0))):
        doubled = _DOUBLED.match(text, place) if place >= 0 else None
        at = None if doubled is None else _read(right, text, place)
        if doubled is not None and at is not None and fits(right, at, text[doubled.start(1) : doubled.end() + 1]):
            words = f"`<` does not fit before `{doubled[1]}`; leave it out"
            return Hint(place, words, Meant(place, place + 1, " ", is_sure=True))
    is_doubled = text.startswith("}", start) and text[:start].rstrip().endswith("}")
    if innermost is None or not (
        (innermost.kind == "content" and is_doubled)
        or (innermost.kind == "tag" and text[start : start + 1] in _CLOSERS)
    ):
        return None
    at = _read(right, text, start)
    if at is None or not fits(right, at, f" {text[start + 1 : _two_lines(text, start)]}"):
        return None
    closer = f"</{tag_name(text, innermost.offset)}"
    rest = text[start : line_end(text, start)]
    if innermost.kind == "content" and closer not in rest and fits(right, at, f"{closer}>{rest}\n"):
        return None  # It closes the braces around an element, which has lost its end.
    if _without_content(right, text, innermost, start) is not None:
        return None  # It closes what is around the tag, and what follows only looks like attributes.
    words = "is one too many" if is_doubled else "closes nothing"
    return Hint(start, f"`{text[start]}` {words}", Meant(start, start + 1, " ", is_sure=True))


def _less_than(right: RightSide, text: str, sign: int, start: int) -> Hint | None:
    """Return the hint for less-than in the text of an element, where it begins a tag; None if no text fits there."""
    meant = '{"<"}'
    at = _read(right, text, sign)
    if at is None or not fits(right, at, meant + text[sign + 1 : line_end(text, start)]):
        return None
    words = f"`<` cannot stand in the text of an element; write `{meant}`"
    return Hint(sign, words, Meant(sign, sign + 1, meant, is_sure=True))


def _unfinished(right: RightSide, text: str, tag: OpenPart, start: int) -> Hint | None:
    """Return the hint for a tag that lacks its `>`; None if what follows does not fit with one.

    The last place comes first: what stands before it is a part of the tag.
    """
    if _has_open_quote(right, text, tag.offset, start):
        return None
    name = tag_name(text, tag.offset)
    words = _words(text, tag)
    is_behind = tag.kind == "tag" and _NO_ATTRIBUTES.match(text, start - text.startswith("<", start - 1)) is not None
    empty = _without_content(right, text, tag, start) if is_behind else None
    without_content = None if empty is None else Hint(tag.offset, f"{words} `/>`", empty)
    around = _CLOSING_NAME.match(text, start)
    if around is not None and around[1] != name and without_content is not None:
        return without_content  # The element around ends here, so this one has none.
    following = _OPENER.match(text, start)
    # A whole tag of the same name may stand below one that is half-written.
    behind = start if following is None or "/" in following.group() else following.end()
    closing = None if tag.kind == "end" else closing_tag(text, name, behind)
    # With `>` lost, text and braces fit up to the sign that ends the tag after all.
    stops = [_two_lines(text, start) if closing is None else closing.end()]
    if following is not None:
        stops.append(following.end())  # No tag begins in another one.
    if closing is None and tag.kind == "tag" and not text[: tag.ends[-1]].endswith("/"):
        return without_content
    for stop in stops:
        for place in tag.ends[: -_MOST_PLACES - 1 : -1]:
            at = _read(right, text, place)
            if at is not None and fits(right, at, f">{text[place:stop]}"):
                return Hint(tag.offset, f"{words} `>`", Meant(place, place, ">", is_sure=True))
    return without_content


def _has_open_quote(right: RightSide, text: str, tag: int, start: int) -> bool:
    """Return whether a string in the braces of a value in a tag has lost its end, so that it takes in that of the tag.

    `tag`: the offset of the tag. `start`: where the lexeme at the fault begins.
    """
    flaw = find_flaw(right.lexer, text[: line_end(text, start)])
    if flaw is None or flaw.offset < tag or text[flaw.offset] not in _QUOTES:
        return False
    before = text[tag : flaw.offset]
    return before.count("{") > before.count("}")


def _without_content(right: RightSide, text: str, tag: OpenPart, start: int) -> Meant | None:
    """Return the end of a tag of an element without content, with which a text fits beyond an offset; None if none."""
    for place in tag.ends[: -_MOST_PLACES - 1 : -1]:
        at = _read(right, text, place)
        if at is not None and fits(right, at, f" />{text[tag.ends[-1] : _two_lines(text, start)]}"):
            return Meant(place, tag.ends[-1], " />", is_sure=True)
    return None


def _open_value(right: RightSide, text: str, tag: OpenPart, brace: OpenPart, start: int) -> Hint | None:
    """Return the hint for the brace of a value that is never closed; None if what follows fits with no brace closed."""
    # The next line may have a mistake of its own.
    stops = (_two_lines(text, start), line_end(text, start))
    at = _read(right, text, brace.offset)
    for found in _VALUE_ENDS.finditer(text, brace.offset + 1, line_end(text, start)) if at is not None else ():
        place = found.start()
        value = f"{text[brace.offset : place]}}}"
        # A template that is never closed takes in all that follows.
        after = None if at is None else at.read(right.lexer, right.stacks, value)
        if after is None or not is_in_tag(right, after):
            continue
        if any(fits(right, after, text[place:stop]) for stop in stops):
            words = "`{` is never closed"
            return Hint(brace.offset, words, Meant(place, place, "}", is_sure=True))
    return None


def _read(right: RightSide, text: str, offset: int) -> Configuration | None:
    """Return the configuration before an offset; None where the text does not fit."""
    return Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])


def _two_lines(text: str, offset: int) -> int:
    """Return the offset at which the next line with content ends."""
    return line_end(text, content_after(text, offset))
