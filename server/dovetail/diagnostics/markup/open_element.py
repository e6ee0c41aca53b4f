"""Open element: an element of a markup whose closing tag is missing, one too many, or side by side with another.

The grammar does not compare the names of tags, so the closing tag of an outer element closes the inner one whose own is
missing, and the text stops fitting far below. The names tell which.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from dovetail.diagnostics.flaw import MIRRORED, OPENERS, brackets_of, closer_of, find_flaw
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import content_after, content_at, line_column, line_end, line_start, rest_of_line
from dovetail.diagnostics.markup.lost_branch import find_lost_branch
from dovetail.diagnostics.markup.lost_child_brace import find_lost_child_brace
from dovetail.diagnostics.markup.lost_tag import find_lost_tag
from dovetail.diagnostics.markup.tags import are_closed, closing_tag, elements, tag_name, tags
from dovetail.diagnostics.reach import fits
from dovetail.diagnostics.reported import line_and_column
from dovetail.lexing.lexemes import lexemes
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.lexing.lexer import Lexer
    from dovetail.quotient.right_side import RightSide

_CLOSING_TAG = re.compile(r"</\s*([\w$.:-]*)\s*>")
_OPENER = re.compile(r"<[\w$.:-]+")
_CONTENT = re.compile(r"[^\r\n]")
_GOES_ON = re.compile(r"[)\]}]*[,;)\]}][ \t]*(?:[\r\n]|\Z)")
SIDE_BY_SIDE = "two elements side by side need one around them, as `<>` and `</>`"
_NEXT_LINES = re.compile(r"[^\n\r]*(?:\s*[^\n\r]*){3}")


_MOST_BEFORE = 2000
"""The most characters before a fault at which the second of two elements may begin."""
_MOST_OPENERS = 12
"""The most tags before a fault that are tried for the beginning of a second element."""


class _Open(NamedTuple):
    """An element whose content is being read."""

    offset: int
    name: str
    begun: int
    """The offset at which its content begins."""
    inside: int
    """The modes between its tags."""


def find_open_element(right: RightSide, text: str, start: int, offset: int) -> Hint | None:
    """Return the hint for the tag that explains a fault at an offset; None if tags have nothing to do with it.

    `start`: where the lexeme at the fault begins.
    """
    lexer = right.lexer
    if not lexer.compiled.mistakes.elements:
        return None
    opened: list[_Open] = []
    closed: list[tuple[_Open, int]] = []  # Each with the offset of its closing tag.
    for place, begun, inside in tags(lexer, text[: offset + 1]):
        name = tag_name(text, place)
        if begun:
            opened.append(_Open(place, name, begun, inside))
        elif not opened:
            return None
        elif opened[-1].name == name:
            closed.append((opened.pop(), place))
        elif name in (around := _names_around(lexer, opened)):
            # Of several the outermost comes first: the others follow when its tag is put in.
            if are_closed(lexer, text, place, [element.name for element in opened[:-1]]):
                return _closes_another(text, place, opened[-1])
            index = len(opened) - around.index(name)
            inner = opened[index]
            slash = _slash_lost(text, opened[index:]) or _slash_behind(text, inner)
            return slash or _never_closed(inner, _content_end(text, inner, place))
        else:
            return None if name and opened[-1].name else _closes_another(text, place, opened[-1])
    here = next((found for found in lexemes(lexer, text) if found.start <= offset < found.end), None)
    closing = _CLOSING_TAG.match(text, max(text.rfind("<", 0, start + 1), 0))
    if closing is not None and closing.start() <= start < closing.end():
        if _is_in_braces(lexer, text[: closing.start()], opened):
            return _second(right, text, start, offset, len(opened))
        return _beside(right, text, closing, opened)
    # The slash of a closing tag that is read as less-than begins a regular expression.
    end = start if text.startswith("</", start - 1) else offset
    if not opened or _is_in_braces(lexer, text[:end], opened):
        outer = len(opened)
        second = _second(right, text, start, offset, outer) or _second_in_braces(right, text, offset, outer)
        if second is not None:
            return second
    if not opened or here is None or here.stack != opened[-1].inside:
        return None
    last = opened[-1]
    if text[offset : offset + 1] == ">":
        lost = find_lost_child_brace(right, text, offset) or _closing_sign_lost(text, offset, last)
        return lost or _sign_in_text(right, text, offset, last.name)
    if text[offset : offset + 1] == "}" and _closes_braces_around(right, text, offset, last.name):
        return _never_closed(last, offset)
    following = _NEXT_LINES.match(text, offset)
    if following is not None and closing_tag(following.group(), last.name, 0) is not None:
        return None
    if are_closed(lexer, text, offset, [element.name for element in opened]):
        return None  # No closing tag is lost.
    slash = _slash_lost(text, opened[-2:]) or _slash_behind(text, last)
    element, end = _by_columns(text, closed, last, offset)
    return slash or _never_closed(element, _content_end(text, element, end))


def _by_columns(text: str, closed: list[tuple[_Open, int]], last: _Open, offset: int) -> tuple[_Open, int]:
    """Return the element whose closing tag is lost, and where its content ends at the latest.

    Read without columns, it is the outermost of one name, the last one that is open at an offset. A closing tag that
    begins its line further to the left than its element does is one of an element around it.
    """
    for element, place in closed:
        start = line_start(text, place)
        is_of_lines = element.offset > last.offset and element.name == last.name and content_at(text, start) == place
        if is_of_lines and line_column(text, place) < line_column(text, element.offset):
            return element, place
    return last, offset


def _is_in_braces(lexer: Lexer, text: str, opened: list[_Open]) -> bool:
    """Return whether the end of a text lies in a bracket inside of the innermost of some open elements."""
    flaw = find_flaw(lexer, text)
    return flaw is not None and flaw.is_open and bool(opened) and flaw.offset > opened[-1].offset


def _second(right: RightSide, text: str, start: int, offset: int, around: int) -> Hint | None:
    """Return the hint for an element right behind another one, whose tag is read as less-than and a name.

    `around`: the number of elements that both stand in.

    The first one is left out, so that what is wrong in the second is still found.
    """
    lexer = right.lexer
    # Where nothing compares an element, the fault is the first character of the second one's name.
    openers = list(_OPENER.finditer(text, max(offset - _MOST_BEFORE, 0), max(start, offset) + 1))
    for opener in openers[: -_MOST_OPENERS - 1 : -1]:
        before = opener.start()
        if not text[:before].rstrip().endswith(">"):
            continue
        first = _element_before(lexer, text, before, around)
        if first is None:
            continue
        blank = _CONTENT.sub(" ", text[first:before])
        at = Configuration((right.stacks.bottom,), lexer.start).read(right.lexer, right.stacks, text[:first])
        is_here = not text[opener.end() : max(start, offset)].strip()
        if is_here or (at is not None and fits(right, at, blank + text[before : line_end(text, offset)])):
            side_by_side = Hint(before, SIDE_BY_SIDE, Meant(first, before, blank, is_sure=True))
            lost = find_lost_branch(right, text, before) or find_lost_tag(right, text, first)
            return lost or _open_above(right, text, first, before) or side_by_side
    return None


def _open_above(right: RightSide, text: str, first: int, second: int) -> Hint | None:
    """Return the hint for the bracket that is never closed between two elements; None if they stand side by side.

    The second one stands in the column of the line above the first that opens the bracket, as below `{a && (`, and may
    be braces.
    """
    line = line_start(text, len(text[: line_start(text, first)].rstrip()))
    column = line_column(text, second)
    # The line of a second branch, as `) : (`, stands in the column of the one that opens the braces.
    around = reversed(brackets_of(right.lexer, text[:first]).opened)
    opened = [*takewhile(lambda bracket: line_column(text, bracket[0]) == column, around)][::-1]
    if not opened or opened[-1][0] < line or text[line_start(text, second) : second].strip():
        return None
    if line_column(text, first) <= column:
        return None
    end = len(text[:second].rstrip())
    closers = "".join(MIRRORED[sign] for _, sign in reversed(opened))
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:end])
    if at is None or not fits(right, at, closers + text[end : line_end(text, content_after(text, second))]):
        return None
    offset, sign = opened[-1]
    return Hint(offset, f"`{sign}` is never closed", Meant(end, end, closers, is_sure=True))


def _second_in_braces(right: RightSide, text: str, offset: int, around: int) -> Hint | None:
    """Return the hint for braces right behind an element, at an offset or below it, as if they stood in another one.

    They are left out, and the element with them if another follows.
    """
    before = len(text[:offset].rstrip())
    brace = content_at(text, before)
    if not text[:before].endswith(">") or not text.startswith("{", brace):
        return None
    lexer = right.lexer
    first = _element_before(lexer, text, before, around)
    if first is not None and closer_of(lexer, text, brace) is None:
        return _half_line_beside(right, text, brace)
    start, end = brace, brace
    while first is not None and text.startswith("{", start):
        closer = closer_of(lexer, text, start)
        if closer is None:
            return None
        end, start = closer + 1, content_at(text, closer + 1)
    if first is None:
        return None
    lost = find_lost_tag(right, text, first) or _open_above(right, text, first, brace)
    if lost is not None:
        return lost
    left_out = first if _OPENER.match(text, start) else brace
    return Hint(brace, SIDE_BY_SIDE, Meant(left_out, end, _CONTENT.sub(" ", text[left_out:end]), is_sure=True))


def _half_line_beside(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for a half-written line that begins at an offset, beside an element; None if it is none."""
    end = line_end(text, offset)
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
    if at is None or not fits(right, at, f"{text[end : line_end(text, content_after(text, end))]}\n"):
        return None
    return Hint(offset, SIDE_BY_SIDE, Meant(offset, end, _CONTENT.sub(" ", text[offset:end]), is_sure=True))


def _element_before(lexer: Lexer, text: str, offset: int, around: int) -> int | None:
    """Return where the element right before an offset begins that stands in as many others as `around`; else None."""
    found = (each for each in elements(lexer, text[:offset]) if each.around == around)
    return next((each.start for each in found if not text[each.end : offset].strip()), None)


def _sign_in_text(right: RightSide, text: str, offset: int, name: str) -> Hint | None:
    """Return the hint for the sign at an offset, which the text of an element cannot have; None if none fits."""
    sign = text[offset]
    meant = f'{{"{sign}"}}'
    if text[line_start(text, offset) : offset].strip() == "/" and not rest_of_line(text, offset + 1).strip():
        # The line that closes a tag, twice.
        return Hint(offset - 1, "`/>` closes no tag; leave it out", Meant(offset - 1, offset + 1, "", is_sure=True))
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
    if at is None or not fits(right, at, meant + rest_of_line(text, offset + 1)):
        return None
    # What has no closing tag is no element: `<T>(x: T) => x` may be a function.
    if not re.search(rf"</\s*{re.escape(name)}\s*>", text[offset:]):
        return None
    words = f"`{sign}` cannot stand in the text of an element; write `{meant}`"
    return Hint(offset, words, Meant(offset, offset + 1, meant, is_sure=True))


def _closes_braces_around(right: RightSide, text: str, offset: int, name: str) -> bool:
    """Return whether a brace at an offset ends those around an element, once that has ended before it."""
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:offset])
    return at is not None and fits(right, at, f"</{name}>{text[offset : line_end(text, offset)]}\n")


def _closing_sign_lost(text: str, offset: int, element: _Open) -> Hint | None:
    """Return the hint for a closing tag that ends at an offset and lacks its first sign: `/p>` for `</p>`."""
    tag = re.compile(rf"/{re.escape(element.name)}[ \t]*\Z").search(text, element.begun, offset)
    if tag is None:
        return None
    meant = Meant(tag.start(), offset + 1, f"</{element.name}>", is_sure=True)
    return Hint(tag.start(), f"`{text[tag.start() : offset + 1]}` does not fit here; write `{meant.text}`", meant)


def _slash_behind(text: str, element: _Open) -> Hint | None:
    """Return the hint for a tag at the end of an element's line with its slash behind the name: `<p/>` for `</p>`."""
    tag = re.compile(rf"<{re.escape(element.name)}[ \t]*/[ \t]*>")
    found = tag.search(text, element.begun, line_end(text, element.begun))
    if found is None or not element.name or rest_of_line(text, found.end()).strip():
        return None
    meant = Meant(found.start(), found.end(), f"</{element.name}>", is_sure=True)
    return Hint(found.start(), f"`{found.group()}` does not fit here; write `{meant.text}`", meant)


def _content_end(text: str, element: _Open, most: int) -> int:
    """Return where the content of an element ends by the columns of lines, at most at an offset."""
    column = line_column(text, element.offset)
    if _GOES_ON.match(text, element.begun):
        return element.begun  # What follows the element in a list or a call stands behind it.
    end = line_end(text, element.begun)
    while end < most:
        content = content_after(text, end)
        if content == len(text) or line_column(text, content) <= column:
            break
        inside, sign = text[element.begun : content], text[content]
        if sign in OPENERS and inside.count(OPENERS[sign]) <= inside.count(sign):
            break  # It closes a bracket around the element.
        end = line_end(text, content)
    return min(len(text[:end].rstrip()), most)


def _slash_lost(text: str, opened: list[_Open]) -> Hint | None:
    """Return the hint for a tag that opens what the tag before it has opened: `<li>` for `</li>`.

    Both stand on one line, or the second one at the end of its line.
    """
    if len(opened) < 2 or opened[0].name != opened[1].name:
        return None
    first, second = opened[:2]
    written = text[second.offset : second.begun]
    is_on_line = line_end(text, first.offset) >= second.begun
    if written != f"<{second.name}>" or (rest_of_line(text, second.begun).strip() and not is_on_line):
        return None
    tag = Meant(second.offset, second.begun, f"</{second.name}>", is_sure=True)
    return Hint(second.offset, f"`{written}` does not fit here; write `{tag.text}`", tag)


def _closes_another(text: str, offset: int, element: _Open) -> Hint | None:
    """Return the hint for the closing tag at an offset that closes an element with a name as one without, or so."""
    closing = _CLOSING_TAG.match(text, offset)
    if closing is None:
        return None
    line, _ = line_and_column(text, element.offset)
    words = f"`{closing.group()}` does not close `<{element.name}>` of line {line}"
    return Hint(offset, words, Meant(offset, closing.end(), f"</{element.name}>", is_sure=True))


def _never_closed(element: _Open, end: int) -> Hint:
    """Return the hint for an element without a closing tag, which is put in at an offset."""
    tag = Meant(end, end, f"</{element.name}>", is_sure=True)
    return Hint(element.offset, f"`<{element.name}>` is never closed", tag)


def _names_around(lexer: Lexer, opened: list[_Open]) -> list[str]:
    """Return the names of the open elements, from the innermost up to the next braces, which hold elements apart."""
    names = [opened[-1].name]
    for inner, outer in zip(reversed(opened), reversed(opened[:-1]), strict=False):
        if lexer.modes.depths[inner.inside] != lexer.modes.depths[outer.inside] + 1:
            break
        names.append(outer.name)
    return names


def _beside(right: RightSide, text: str, closing: re.Match[str], opened: list[_Open]) -> Hint:
    """Return the hint for a closing tag where no element is open: it is too many, or its element is the second one."""
    name, begins = closing[1], opened[-1].offset if opened else 0
    first = text.rfind(f"<{name}", begins, closing.start())
    if first >= 0 and text[:first].rstrip().endswith(">") and text.find(f"</{name}", first, closing.start()) < 0:
        before = _element_before(right.lexer, text, first, len(opened))
        lost = None if before is None else find_lost_tag(right, text, before)
        return find_lost_branch(right, text, first) or lost or Hint(first, SIDE_BY_SIDE)
    blank = " " * len(closing.group())
    words = f"`{closing.group()}` closes nothing"
    return Hint(closing.start(), words, Meant(closing.start(), closing.end(), blank, is_sure=True))
