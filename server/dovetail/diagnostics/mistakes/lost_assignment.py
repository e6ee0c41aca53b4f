"""Lost assignment: the sign between a name and the value that it gets, as in `header  dict(a)`.

It looks like a call without its brackets. The two blanks that stood around the sign tell it, or the name, which is that
of a variable.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.line_places import line_end, line_start, rest_of_line
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_TARGET = re.compile(
    r"[ \t]*(?P<others>(?:[^\W\d]\w*[ \t]*,[ \t]*)*)(?P<name>[^\W\d]\w*)(?P<member>(?:\.\w+)*)(?P<blanks>[ \t]+)\Z"
)
_ASSIGNED = re.compile(r"[\w.]+[ \t]*:?=(?!=)")
_DECLARED = re.compile(r"(?:\A|(?<=[\r\n]))\w")
_CALLED = re.compile(r"[\w.]+[ \t]*\(")
_KEY = re.compile(r"[{,]\s*\w+[ \t]+\Z")
_EMPTY, _VALUE = ";", "0 "
_SIGNS = (":=", "=")
"""The signs of an assignment, that of a new name first."""


def lost_assignment(right: RightSide, at: Configuration, text: str, offset: int) -> str | None:
    """Return the sign of an assignment that is lost before the value at an offset; None if a call is as likely.

    Behind a name that gets no value, as `self`, it is the dot of a member.
    `at`: the configuration there. The rest of the line has to fit behind the sign.
    """
    begin = line_start(text, offset)
    target = _TARGET.match(text, begin, offset)
    compiled = right.lexer.compiled
    if target is None or target["name"] in (*compiled.literals, *compiled.mistakes.statements):
        return None
    if not re.match(r"\w", text[offset : offset + 1]) and text[offset : offset + 1] not in ("'", '"', "[", "{"):
        return None
    if target["name"] in compiled.mistakes.receivers and not (target["others"] or target["member"]):
        return "." if fits(right, at, f".{rest_of_line(text, offset)}\n") else None
    if _ASSIGNED.match(text, offset):
        return None  # The value is a name that gets one itself: the word before it is too many.
    is_apart = len(target["blanks"].expandtabs(1)) > 1
    is_variable = not target["others"] and _is_variable(target["name"] + target["member"], text[:begin], text[offset:])
    if not (is_apart or is_variable):
        return None
    is_called = _CALLED.match(text, offset) is not None and not target["others"]
    is_known = bool(target["member"]) or _is_known(target["name"], text[:begin])
    if is_called and is_known and not is_apart and not _is_assigned(re.escape(target["name"] + target["member"]), text):
        return None  # The dot of a method is as likely.
    if is_in_value(right, text, begin):
        return None
    signs = [sign for sign in _SIGNS if sign in compiled.literals and not (is_known and sign != "=")]
    if (
        compiled.layout is None
        and ":=" not in compiled.literals  # There a colon behind a name at the beginning of a block is that of a label.
        and _KEY.search(text, 0, offset)
        and fits(right, at, f": {rest_of_line(text, offset)}\n")
    ):
        return None  # The key of an object, as in `f({ size 2 })`.
    return next((sign for sign in signs if fits(right, at, f"{sign} {rest_of_line(text, offset)}\n")), None)


def is_in_value(right: RightSide, text: str, begin: int) -> bool:
    """Return whether a line goes on with a value, or begins one in brackets, where no statement stands.

    `begin`: where it begins. Asked where a semicolon may be a statement.
    """
    compiled = right.lexer.compiled
    if compiled.layout is not None or _EMPTY not in compiled.literals:
        return False
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:begin])
    return at is not None and fits(right, at, _VALUE) and not fits(right, at, _EMPTY)


def _is_known(name: str, above: str) -> bool:
    """Return whether a name stands above in the same declaration, as a function, or on the first line of another one.

    Declarations begin in the first column.
    """
    beginnings = [found.start() for found in _DECLARED.finditer(above)]
    own = above[beginnings[-1] :] if beginnings else above
    others = "\n".join(above[begin : line_end(above, begin)] for begin in beginnings[:-1])
    return re.search(rf"\b{name}\b", f"{others}\n{own}") is not None


def _is_variable(name: str, above: str, below: str) -> bool:
    """Return whether a name is that of a variable: nothing calls it, and it gets a value above, or is used below.

    At the beginning of a line it may be another call without its brackets.
    """
    name = re.escape(name)
    called = rf"(?<![\w.]){name}[ \t]*\("
    if re.search(called, above) or re.search(called, below):
        return False
    used = rf"[^\s.][ \t]*(?<![\w.]){name}\b(?![ \t]+[\w\"'])"
    return _is_assigned(name, above) or re.search(used, below) is not None


def _is_assigned(name: str, text: str) -> bool:
    """Return whether a name, as a part of a regular expression, gets a value at the beginning of a line of a text."""
    return re.search(rf"(?:\A|[\r\n])[ \t]*{name}[ \t]*:?=(?!=)", text) is not None
