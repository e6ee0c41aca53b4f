"""The lines of elements that a text has: a closing tag stands as its opening tag does, what is between them deeper.

Blanks that begin a line of an element mean nothing. The tags are found by their signs, so the layout is a proposal:
whoever asks has to look whether the text is still a program.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_TAG = re.compile(r"</\s*(?P<closed>[\w.:-]*)\s*>|<(?P<opened>[\w.:-]*)(?=[\s/>])|/>")

_BLANKS = re.compile(r"[ \t]*\Z")

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line with its end; other characters that end lines for Python stand in texts."""

_OPENED = re.compile(r"[ \t]*<(?:[^<>]|=>)*(?<![/=])>\s*\Z")
"""The tag that opens an element, alone on its line: the next line is its first child."""

_ENDS_TAG = ("/>", ">")
"""The beginnings of the last line of a tag of several lines."""

_REACH = 20_000
"""Characters before the text that are read."""


class _OpenTag(NamedTuple):
    name: str
    blanks: str | None
    """The blanks before the tag if it begins a line."""
    at: int


class _MovedLine(NamedTuple):
    columns: int
    """The columns before the line where it stood."""
    by: int
    """The columns by which it was moved to the right."""
    tags: int
    """The number of tags that were open above it."""

    def takes_along(self, columns: int, opened: Sequence[_OpenTag]) -> bool:
        """Return whether a later line moves with this one: a deeper one, and the next of the same element."""
        return columns > self.columns or (columns == self.columns and len(opened) == self.tags)


def lay_out_tags(left: str, text: str, closing: str = "", line_end: str = "\n") -> str:
    r"""Return a text in which the closing tags that begin a line stand as their opening ones, where those do so too.

    `closing`: the end of the text that nobody has laid out. There such a tag gets a line of its own, as it does where
    the content of its element begins on the line below the opening tag.

    >>> lay_out_tags("<a>\n  <b", ">\n    c\n    </b>")
    '>\n    c\n  </b>'
    >>> lay_out_tags("<a><b", ">\n    c\n    </b>")
    '>\n    c\n    </b>'
    >>> lay_out_tags("", "<ul>\n  {name}</ul>")
    '<ul>\n  {name}\n</ul>'
    >>> lay_out_tags("  ", "<a>\n    <b></b></a>", "</b></a>")
    '<a>\n    <b></b>\n  </a>'
    """
    left = left[-_REACH:]
    whole = left + text
    own = len(whole) - len(closing)
    if "</" not in text or "\n" not in whole:
        return text
    opened: list[_OpenTag] = []
    parts: list[str] = []
    done = len(left)
    for tag in _TAG.finditer(whole):
        before = whole[max(whole.rfind("\n", 0, tag.start()), whole.rfind("\r", 0, tag.start())) + 1 : tag.start()]
        blanks = before if _BLANKS.match(before) else None
        if tag["opened"] is not None:
            opened.append(_OpenTag(tag["opened"], blanks, tag.start()))
            continue
        if tag["closed"] is None:
            del opened[-1:]
            continue
        # What lies above may be an argument of types, or an element that is never closed.
        while opened and opened[-1].name != tag["closed"]:
            opened.pop()
        opener = opened.pop() if opened else None
        start = tag.start() - len(before)
        if opener is None or opener.blanks is None or tag.start() <= done:
            continue
        if blanks is not None and start > done:
            parts += [whole[done:start], opener.blanks]
            done = tag.start()
        elif blanks is None and opener.at < start and (tag.start() >= own or _is_alone(whole, opener)):
            parts += [whole[done : tag.start()].rstrip(" \t"), line_end, opener.blanks]
            done = tag.start()
    return "".join([*parts, whole[done:]])


def _is_alone(whole: str, opener: _OpenTag) -> bool:
    """Return whether a tag that begins its line opens an element whose content begins on the next line."""
    line = _LINE.match(whole, opener.at)
    return line is not None and _OPENED.match(line[0]) is not None and line[0].endswith(("\n", "\r"))


def indent_children(left: str, text: str, unit: str, tab: int) -> str:
    r"""Return a text in which each line of an element is deeper than the line that its opening tag begins.

    The first one is so by one level. A line that is moved takes those with it that are deeper than it. Where the
    cursor's line is indented already, the text begins without blanks. `unit`: the blanks of one level, `tab`: the
    columns of a tab.

    >>> indent_children("  ", "<ul>\n  <li>\n    a\n  </li>\n  </ul>", "  ", 4)
    '<ul>\n    <li>\n      a\n    </li>\n  </ul>'
    >>> indent_children("<p>\n  ", "  <b>\n      a\n    </b>", "  ", 4)
    '<b>\n    a\n  </b>'
    """
    left = left[-_REACH:]
    begin = max(left.rfind("\n"), left.rfind("\r")) + 1
    is_begun = left[begin:].strip(" \t") != ""
    if "`" in text or (is_begun and "\n" not in text):
        return text  # In a template blanks mean something.
    lines = _LINE.findall(left[begin:] + text)
    opened = _open_tags([], left[:begin])
    moved: list[_MovedLine] = []  # the innermost last
    for number, line in enumerate(lines):
        content = line.lstrip(" \t")
        width = len(line[: len(line) - len(content)].expandtabs(tab))
        while moved and not moved[-1].takes_along(width, opened):
            moved.pop()
        if content.strip() and not (number == 0 and is_begun):
            due = max(0, width + moved[-1].by) if moved else width
            closed = _TAG.match(content)
            if closed is not None and closed["closed"] is not None:
                due = _columns(next((tag for tag in reversed(opened) if tag.name == closed["closed"]), None), due, tab)
            elif not content.startswith(_ENDS_TAG):
                is_first = number > 0 and _OPENED.match(lines[number - 1]) is not None
                outer = next((tag for tag in reversed(opened) if tag.blanks is not None), None)
                least = _columns(outer, -1, tab)
                if number == 0 and len(left[begin:].expandtabs(tab)) > least >= 0:
                    due = len(left[begin:].expandtabs(tab))
                elif due <= least or (is_first and least >= 0):
                    due = least + len(unit.expandtabs(tab))
                if due != width:
                    moved.append(_MovedLine(width, due - width, len(opened)))
            blanks = "\t" * (due // tab) + " " * (due % tab) if unit == "\t" else " " * due
            lines[number] = line if due == width else blanks + content
        opened = _open_tags(opened, lines[number])
    return "".join(lines)[len(left) - begin :]


def _columns(tag: _OpenTag | None, other: int, tab: int) -> int:
    """Return the columns before a tag that begins its line; `other` if it does not, or there is none."""
    return other if tag is None or tag.blanks is None else len(tag.blanks.expandtabs(tab))


def _open_tags(opened: list[_OpenTag], text: str) -> list[_OpenTag]:
    """Return the tags that are open behind a text that begins a line, outermost first, by those before it."""
    found = [*opened]
    for tag in _TAG.finditer(text):
        if tag["opened"] is not None:
            before = text[max(text.rfind("\n", 0, tag.start()), text.rfind("\r", 0, tag.start())) + 1 : tag.start()]
            found.append(_OpenTag(tag["opened"], before if _BLANKS.match(before) else None, tag.start()))
        elif tag["closed"] is None:
            del found[-1:]
        elif any(each.name == tag["closed"] for each in found):
            while found.pop().name != tag["closed"]:
                pass
    return found
