"""The two lines that minuet-ai.nvim puts before the text of a file: its language, and how it is indented.

    # language: json
    # indentation: use 2 spaces for a tab

They are no part of the file, and no comment of a language without comments. They name the language, which few clients
do.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from dovetail.grammar.library import language_called

_HEADING = re.compile(
    r"[^\n\w]{0,8}language: (?P<name>[\w.+-]+)[^\n\w]{0,8}\n"
    r"[^\n\w]{0,8}indentation: use (?:\d+ spaces|\t) for a tab[^\n\w]{0,8}\n"
)
"""Both lines, in the comments of any language."""


class Headed(NamedTuple):
    """A text, and the language that its heading names."""

    left: str
    language: str | None
    """None without a heading; a name of the editor's that may be of no language that is known here."""


def without_heading(left: str) -> Headed:
    r"""Return a text without its heading.

    >>> without_heading("-- language: lua\n-- indentation: use 4 spaces for a tab\nlocal x")
    Headed(left='local x', language='lua')
    >>> without_heading("# language: french\nx = 1\n").language
    """
    found = _HEADING.match(left)
    if found is None:
        return Headed(left, None)
    name = found["name"]
    return Headed(left[found.end() :], language_called(name) or name)
