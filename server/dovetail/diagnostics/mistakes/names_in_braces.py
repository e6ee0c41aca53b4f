"""Names in braces: those that a declaration takes from a value or a file, as `import { a as b }` and `const { a: b }`.

Two names side by side may be two, without the comma between them, or one with another name for it. The rest of the text
tells, which uses the names that it knows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import find_flaw
from dovetail.diagnostics.line_places import rest_of_line
from dovetail.diagnostics.reach import fits

if TYPE_CHECKING:
    from dovetail.parsing.configuration import Configuration
    from dovetail.quotient.right_side import RightSide

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_BEFORE = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*)[ \t]+\Z")
_OPENED = re.compile(r"\b(?:(import|export)(?:\s+type)?(?:\s+[\w$]+\s*,)?|const|let|var)\s*\Z")
_ONLY_NAMES = re.compile(r"[\w$\s,:=]*\Z")
_ALL_NAMES = re.compile(r"\{(?:[ \t]*[A-Za-z_$][\w$]*[ \t]*,?)+\}")
_OTHER_NAME = {"import": "as", "export": "as", "": ":"}
"""The word before the braces, empty for that of a variable → the sign or word before another name."""


def sign_between_names(right: RightSide, at: Configuration, text: str, offset: int) -> str | None:
    """Return the comma, or what gives another name, that is lost before the name at an offset in such braces.

    `at`: the configuration there. Empty if no use of the names speaks for either; None elsewhere.
    """
    first, second = _BEFORE.search(text, 0, offset), _NAME.match(text, offset)
    if first is None or second is None or second.group() in right.lexer.compiled.literals:
        return None
    opened = find_flaw(right.lexer, text[:offset])
    if opened is None or not opened.is_open or text[opened.offset] != "{":
        return None
    header = _OPENED.search(text, 0, opened.offset)
    if header is None or not _ONLY_NAMES.match(text, opened.offset + 1, offset):
        return None
    uses = [_is_used(name, text) for name in (first[1], second.group())]
    sign = ","
    if uses[0] != uses[1]:
        # A file uses the name that it gets, and exports one that it knows.
        sign = _OTHER_NAME[header[1] or ""] if uses[header[1] != "export"] else ""
    rest = rest_of_line(text, offset)
    return sign if sign and fits(right, at, f"{sign} {rest}") else ""


def is_among_names(right: RightSide, text: str, offset: int) -> bool:
    """Return whether the braces around an offset are closed on its line, and all other entries are names alone."""
    opened = find_flaw(right.lexer, text[:offset])
    if opened is None or not opened.is_open or text[opened.offset] != "{":
        return False
    found = _ALL_NAMES.match(text, opened.offset)
    return found is not None and found.end() > offset and "," in found.group()


def _is_used(name: str, text: str) -> bool:
    """Return whether a name stands more than once in a text, and not as a member of something."""
    return len(re.findall(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", text)) > 1
