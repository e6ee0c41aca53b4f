"""Last comma: the one at the end of a text, before the bracket that is closed behind the cursor.

A grammar takes it, as in `f(a,)`, but on one line nobody writes it. Before a closer on the next line programs do; a
file that is one value, as those of JSON with comments, does only where it has such a comma elsewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.task import Task

_CLOSER = re.compile(r"[ \t]*(?P<lines>\s*)(?P<closer>[)\]}])")
_WRITTEN = re.compile(r",[ \t]*\r?\n[ \t]*[)\]}]")
"""A last comma with the closer on the next line."""
_VALUE = re.compile(r"\s*(?:(?://[^\n]*|/\*.*?\*/)\s*)*[\[{]", re.DOTALL)
"""The beginning of a file that is one value."""
_CALLED = re.compile(r"[\w\])>]\s*\Z")
"""The end of a text before a bracket with arguments or parameters."""


def without_last_comma(task: Task, text: str) -> str:
    """Return a text without the comma at its end, if a closer follows that needs none."""
    kept = text.rstrip()
    closer = _CLOSER.match(task.right)
    if closer is None or not kept.endswith(","):
        return text
    kept = kept[:-1].rstrip()
    if closer["closer"] == ")" and not _CALLED.search(_before_opener(task.left + kept)):
        return text  # A comma makes a tuple of one value.
    if closer["lines"] and (not _VALUE.match(task.left) or _WRITTEN.search(task.left) or _WRITTEN.search(task.right)):
        return text
    return kept if kept and task.start.accepts(kept) else text


def _before_opener(text: str) -> str:
    """Return a text up to the innermost parenthesis that it leaves open; empty if there is none."""
    opened = 0
    for at in range(len(text) - 1, -1, -1):
        opened += {"(": 1, ")": -1}.get(text[at], 0)
        if opened > 0:
            return text[:at]
    return ""
