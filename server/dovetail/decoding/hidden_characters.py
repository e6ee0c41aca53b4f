"""Hidden characters: signs that an editor shows as nothing, as a blank or as another sign.

A reader cannot judge a text that has one. U+2028 and U+2029 end the line of a comment in JavaScript, so that what looks
like the rest of the comment is code; marks of direction make code look like other code (CVE-2021-42574). A file that
has such a character may get it again, as a form feed or a joiner of emoji.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from dovetail.decoding.completion import Cause

if TYPE_CHECKING:
    from dovetail.decoding.candidate import Candidate
    from dovetail.decoding.progress import Progress
    from dovetail.decoding.verdict import Verdict

_SHOWN = "\t\n\r "
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp", "Zs"})
"""Categories of Unicode: controls, formats, private ones, unassigned ones, halves of pairs, ends of lines, blanks."""
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_CONTROLS = bytes(range(0x20)).translate(None, _SHOWN.encode()) + b"\x7f"
_LONGEST = 4
"""Bytes of a character, of which a token may have the last alone."""


def has_no_hidden_character(progress: Progress, candidate: Candidate) -> Verdict:
    """Refuse a character that cannot be seen, if the file does not have it near the cursor."""
    piece, task = candidate.piece, progress.task
    if piece is None or (piece.isascii() and len(piece.translate(None, _CONTROLS)) == len(piece)):
        return None  # To ask the piece first is cheap.
    begun = candidate.text[max(0, len(progress.text) - _LONGEST + 1) :].decode(errors="ignore")
    hidden = {character for character in begun if is_hidden(character)}
    return None if all(each in task.left or each in task.right for each in hidden) else Cause.HIDDEN


def is_hidden(character: str) -> bool:
    r"""Return whether an editor does not show a character as what it is.

    >>> [is_hidden(character) for character in "a\t\u2028\u202e\xa0\xe9"]
    [False, False, True, True, True, False]
    """
    return character == _REPLACEMENT or (character not in _SHOWN and unicodedata.category(character) in _HIDDEN)
