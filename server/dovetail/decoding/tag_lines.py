"""The lines of closing tags that a text has: each stands as the line of its opening tag does.

Blanks before a tag that begins its line mean nothing. The tags are found by their signs, so the layout is a proposal:
whoever asks has to look whether the text is still a program.
"""

from __future__ import annotations

import re

_TAG = re.compile(r"</\s*(?P<closed>[\w.:-]*)\s*>|<(?P<opened>[\w.:-]*)(?=[\s/>])|/>")

_FIRST = re.compile(r"(?<=[\r\n])[ \t]+(?=</)")
"""The blanks before a closing tag that begins its line."""

_BLANKS = re.compile(r"[ \t]*\Z")

_REACH = 20_000
"""Characters before the text that are read."""


def lay_out_tags(left: str, text: str) -> str:
    r"""Return a text in which the closing tags that begin a line stand as their opening ones, where those do so too.

    >>> lay_out_tags("<a>\n  <b", ">\n    c\n    </b>")
    '>\n    c\n  </b>'
    >>> lay_out_tags("<a><b", ">\n    c\n    </b>")
    '>\n    c\n    </b>'
    """
    if _FIRST.search(text) is None:
        return text
    left = left[-_REACH:]
    whole = left + text
    opened: list[tuple[str, str | None]] = []  # the name of an element, and the blanks before it if it begins a line
    parts: list[str] = []
    done = len(left)
    for tag in _TAG.finditer(whole):
        before = whole[max(whole.rfind("\n", 0, tag.start()), whole.rfind("\r", 0, tag.start())) + 1 : tag.start()]
        blanks = before if _BLANKS.match(before) else None
        if tag["opened"] is not None:
            opened.append((tag["opened"], blanks))
            continue
        if tag["closed"] is None:
            del opened[-1:]
            continue
        # What lies above may be an argument of types, or an element that is never closed.
        while opened and opened[-1][0] != tag["closed"]:
            opened.pop()
        due = opened.pop()[1] if opened else None
        start = tag.start() - len(before)
        if blanks is not None and due is not None and start > done:
            parts += [whole[done:start], due]
            done = tag.start()
    return "".join([*parts, whole[done:]])
