"""Shortlist: the few of many expected things that a person would name.

Behind a value an operator, a bracket, a dot and more may stand. A person names what ends it, and says "an operator" for
all that goes on with it. Where much may begin, a person names the kinds of things, and no word of a rare form.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

MOST = 4
"""The most things that a message names."""
STATEMENT_END = "`;`"
_ALL = 3
"""The number up to which all are named that are not rare."""
_KINDS = 2
"""The most kinds of things that are named where more than all may begin."""
_LEAST = 2
"""The number below which signs that go on with a value are named, too."""
_LINE_END, _OPERATOR, _STATEMENT = "the end of the line", "an operator", "a statement"
_COMMA, _COLON, _CALL, _GREATER = "`,`", "`:`", "`(`", "`>`"
_ASSIGNMENTS = ("an assignment", "`=`")
_CLOSERS = frozenset({"`)`", "`]`", "`}`", _GREATER})
_EXPRESSIONS = ("an expression", "a value", "an operand", "a type", "another type")
_KIND_ORDER = ("a declaration", *_EXPRESSIONS, "a member", "a name", "a string", "a number")
_NO_KINDS = (_LINE_END, _ASSIGNMENTS[0], "a backtick")
_OPERAND, _INVERSION = "an operand", "`not`"
_UNPACKING = frozenset({"`*`", "`**`", "`...`"})
"""Signs before an expression."""
_OPENERS = ("`{`", "`*`", _CALL)
"""Signs with which something may begin beside a name or a string, the likeliest first."""
_AFTER_NAME = frozenset({_CALL, "`.`", "`[`"})
"""Signs that stand side by side only after the name of a value."""
_GOES_ON = re.compile(r"[^`]*\boperator|`[|&]`(?: or `&`)?|`&&` or `\|\|`")
"""The names of what goes on with a value or a type."""
_OF_VALUE = re.compile(r"[^`]*\boperator|`&&` or `\|\|`")
_WORD = re.compile(r"`\w+`")


def shortlist(names: list[str], rare: Collection[str], *, ends_line: bool) -> list[str]:
    """Return the names of what is to be named of all that is expected, of which the first is wanted most.

    `rare`: names that are left out where any other is there. `ends_line`: whether the end of a line may end something.

    >>> shortlist(["`]`", "a backtick", "an operator", "the end of the line", "`(`", "`,`", "`.`"], (), ends_line=False)
    ['`]`', 'an operator', '`,`']
    >>> shortlist(["a name", "`meta`"], ["`meta`"], ends_line=False)
    ['a name']
    """
    names = _without(list(dict.fromkeys(map(with_article, names))), rare)
    if any(name in _EXPRESSIONS for name in names):
        names = _without(names, _UNPACKING)
    if not ends_line:
        names = _without(names, (_LINE_END,))
    goes_on = set(names) >= _AFTER_NAME or any(map(_GOES_ON.fullmatch, names))
    if len(names) <= (_ALL if goes_on else MOST):
        return names
    few = (_going_on(names) if goes_on else _beginning(names))[:MOST]
    if len(few) < _LEAST:
        few += [name for name in names if name not in few][: _LEAST - len(few)]
    return [name for name in names if name in few] + [name for name in few if name not in names]


def with_expressions(names: list[str]) -> list[str]:
    """Return names with "an expression" for an operand and the word before it, as behind `and`.

    >>> with_expressions(["an operand", "`not`", "`)`"])
    ['an expression', '`)`']
    """
    if _OPERAND not in names or _INVERSION not in names:
        return names
    return [_EXPRESSIONS[0] if name == _OPERAND else name for name in names if name != _INVERSION]


def _going_on(names: list[str]) -> list[str]:
    """Return what to name where a value or a type may go on: what ends or separates it, and "an operator"."""
    has_operator = any(map(_OF_VALUE.fullmatch, names))
    found = [name for name in names if name in _CLOSERS and not (has_operator and name == _GREATER)]
    # Kinds of things come first where no sign and no word is wanted most.
    if names[0].startswith("`") and names[0] not in found and not _GOES_ON.fullmatch(names[0]):
        found.insert(0, names[0])
    # What else begins there, such as the string of a call, goes on with the value, too.
    found += [_OPERATOR] if has_operator else [name for name in names if name == _CALL and _CLOSERS.isdisjoint(found)]
    if _STATEMENT in names:
        found.append(_STATEMENT)
    else:
        apart = (STATEMENT_END,) if has_operator else (*_ASSIGNMENTS, STATEMENT_END, _COLON)
        found += [name for name in apart if name in names]
        found += [] if any(map(_GOES_ON.fullmatch, names)) else [name for name in names if _WORD.fullmatch(name)]
        found += [name for name in (_COMMA, _LINE_END) if name in names]
    found = list(dict.fromkeys(found))
    if len(found) > MOST and "`}`" in found and STATEMENT_END in found:
        found.remove("`}`")  # What ends a statement is named, and not what ends its block.
    return found


def _beginning(names: list[str]) -> list[str]:
    """Return what to name where something may begin: what ends it before, and kinds of things."""
    found = [name for name in names if name in _CLOSERS or (name == names[0] and name.startswith("`"))]
    is_open = not _CLOSERS.isdisjoint(found) or _STATEMENT in names
    kinds = [name for name in names if not name.startswith("`") and name not in _NO_KINDS]
    kinds.sort(key=lambda name: _KIND_ORDER.index(name) if name in _KIND_ORDER else len(_KIND_ORDER))
    found += [*kinds[:_KINDS], *(name for name in _OPENERS if name in names and not is_open)]
    found += [name for name in (*_ASSIGNMENTS, STATEMENT_END, _COLON) if name in names and not (is_open and kinds)]
    found = list(dict.fromkeys(found))
    if len(found) < (_ALL if kinds else MOST):
        found += [name for name in names if _WORD.fullmatch(name) and name not in found]
    return [*found, *(name for name in (_COMMA, _LINE_END) if name in names)]


def _without(names: list[str], others: Collection[str]) -> list[str]:
    """Return names without others; all of them if no other name is there."""
    return [name for name in names if name not in others] or names


def with_article(name: str) -> str:
    """Return the name of a kind of things with an article."""
    if name.startswith(("`", '"', "a ", "an ", "another ", "the ")) or name.endswith("s") or name == "text":
        return name
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
