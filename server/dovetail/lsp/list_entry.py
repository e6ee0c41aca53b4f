"""The selected entry of an editor's list: a whole name, which a text may continue and may not lengthen."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.completer.answer import nothing

if TYPE_CHECKING:
    from dovetail.completer.answer import Answer

LONGER = "the model would lengthen the name that is selected in the editor's list"
"""The reason for which nothing is offered behind an entry."""
_WITHIN_WORD = re.compile(r"[\w$]{2}")


def continuing(answer: Answer, entry: str) -> Answer:
    """Return an answer without the texts that go on with the word at the end of an entry.

    The editor inserts the entry first: of `at` and `tribute` the user would get `at`, and the rest beside it. `entry`
    is empty where no list is open.
    """
    if not (entry and answer.texts):
        return answer
    texts = tuple(text for text in answer.texts if not _WITHIN_WORD.match(entry[-1] + text[:1]))
    return replace(answer, texts=texts) if texts else nothing(LONGER)
