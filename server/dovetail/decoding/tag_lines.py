"""The lines of closing tags that a text has: each stands as the line of its opening tag does.

Blanks before a tag that begins its line mean nothing. The tags are found by their signs, so the layout is a proposal:
whoever asks has to look whether the text is still a program.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TAG = re.compile(r"</\s*(?P<closed>[\w.:-]*)\s*>|<(?P<opened>[\w.:-]*)(?=[\s/>])|/>")

_FIRST = re.compile(r"(?<=[\r\n])[ \t]+(?=</)")
"""The blanks before a closing tag that begins its line."""

_BLANKS = re.compile(r"[ \t]*\Z")

_REACH = 20_000
"""Characters before the text that are read."""


class _OpenTag(NamedTuple):
    name: str
    blanks: str | None
    """The blanks before the tag if it begins a line."""
    at: int


def lay_out_tags(left: str, text: str, closing: str = "", line_end: str = "\n") -> str:
    r"""Return a text in which the closing tags that begin a line stand as their opening ones, where those do so too.

    `closing`: the end of the text that nobody has laid out. There such a tag gets a line of its own.

    >>> lay_out_tags("<a>\n  <b", ">\n    c\n    </b>")
    '>\n    c\n  </b>'
    >>> lay_out_tags("<a><b", ">\n    c\n    </b>")
    '>\n    c\n    </b>'
    >>> lay_out_tags("  ", "<a>\n    <b></b></a>", "</b></a>")
    '<a>\n    <b></b>\n  </a>'
    """
    left = left[-_REACH:]
    whole = left + text
    own = len(whole) - len(closing)
    if _FIRST.search(text) is None and "</" not in closing:
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
        elif blanks is None and tag.start() >= own and opener.at < start:
            parts += [whole[done : tag.start()].rstrip(" \t"), line_end, opener.blanks]
            done = tag.start()
    return "".join([*parts, whole[done:]])
