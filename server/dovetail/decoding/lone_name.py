"""Statements that end with a name that has to go on: `self` or `a[i]` alone below a header, `graph = nx`, `data = b`.

They are programs in most languages, and hardly ever what a person wants. A text that would end with one goes on until
it ends better, or is too unlikely to be shown while the user types.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.decoding.constraint import ConstraintState
    from dovetail.decoding.task import Task

_NAME = r"(?P<name>[^\W\d][\w$]*(?:\.[\w$]+)*)[ \t]*;?\s*\Z"
_ALONE = re.compile(r"(?:\A|[\r\n])[ \t]*(?P<name>[^\W\d][\w$]*(?:\.[\w$]+|\[[^\[\]\r\n]+\])*)[ \t]*;?\s*\Z")
_VALUE = re.compile(rf"(?P<before>[=:]|\b\w+)[ \t]+{_NAME}")

_ASSIGNED_NAME = re.compile(r"(?<![=!<>])=[ \t]*(?P<name>[^\W\d][\w$]*)[ \t]*;?\s*\Z")

_CLOSERS = re.compile(r"[\r\n][\s)\]};,]*\Z")
"""The lines of closing brackets that a text ends with."""
_MORE_CLOSERS = re.compile(r"[\s)\]};,]*\Z")
"""The same, and those on the line before."""

_MEMBER = ".a"
"""Goes on with a name, and with no keyword that is a statement."""
_CALL = "("
_ASSIGNED = " = 1"
"""Goes on with a name, and with no keyword that is a value."""

_MORE = r"(\.(?=\w)|[(\[])?"
"""The signs with which a name goes on; the end of a sentence is none."""

_REACH = 50_000
"""Characters on each side of the cursor in which uses of a name are sought."""


def ends_with_name(task: Task, text: str) -> bool:
    """Return whether the last statement of a text, before lines of closers, ends with a name that has to go on.

    A statement that was begun before the cursor is none, since the user wants it, but for a name of an import behind a
    `=`: in `state = useState` a call is meant.
    """
    text = _CLOSERS.sub("", text)
    begin = max(text.rfind("\n"), text.rfind("\r")) + 1
    before = "" if begin else task.left[max(task.left.rfind("\n"), task.left.rfind("\r")) + 1 :]
    if before.strip():
        return _is_only_called(task, before + text)
    from_line = max(0, begin - 1)
    alone = _ALONE.search(text, from_line) or _ALONE.search(_MORE_CLOSERS.sub("", text), from_line)
    value = None if alone is not None else _VALUE.search(text, begin)
    if alone is None and value is None:
        return False
    start = _begins_statement(task, text[:begin])
    if start is None or (task.imports is not None and task.imports.match(text[begin:].lstrip())):
        return False
    if alone is not None:
        return _goes_on(start, text[begin : alone.end("name")])
    assert value is not None, "one of the two was found"
    blanks = text[begin : len(text) - len(text[begin:].lstrip())]
    return start.advance(f"{blanks}{value['name']}{_ASSIGNED}") is not None and not _stands_alone(task, text, value)


def _begins_statement(task: Task, text: str) -> ConstraintState | None:
    """Return the state at the beginning of a line where a statement begins; None if the line goes on with another."""
    start = task.start.advance(text)
    if start is None or start.enclosure.blank is None:
        return None
    terminator = task.style.terminator
    if terminator is not None and start.advance(terminator.statement + terminator.sign) is None:
        return None
    return start


def _goes_on(start: ConstraintState, line: str) -> bool:
    """Return whether a line that is one word may go on as a name does, with a member and with arguments."""
    name = start.advance(line)
    if name is None or name.advance(_MEMBER) is None:
        return False
    called = name.advance(_CALL)
    # In the text of an element both fit as well, and a parenthesis opens nothing.
    return called is not None and called.enclosure.depth > name.enclosure.depth


def _is_only_called(task: Task, line: str) -> bool:
    """Return whether a line ends with a `=` and a name of an import that stands nowhere above by itself."""
    name = _ASSIGNED_NAME.search(line)
    if name is None or task.imports is None:
        return False
    is_imported, written = False, re.escape(name["name"])
    for found in re.finditer(rf"(?m)^[ \t]*(.*(?<![\w.]){written}\b.*)$", task.left[-_REACH:]):
        if task.imports.match(found[1]):
            is_imported = True
        elif "" in re.findall(rf"(?<![\w.<]){written}\b[ \t]*{_MORE}", found[1]):
            return False
    return is_imported


def _stands_alone(task: Task, text: str, value: re.Match[str]) -> bool:
    """Return whether the file shows that a name can be a value by itself, as `count` in `total = count`.

    Where the name stands behind the same sign or word, these places decide; else all where it stands outside of
    imports. A name that is first in parentheses, as `self` in `f(self)`, may be a parameter that is never a value.
    """
    name = re.escape(value["name"])
    around = "\n".join((task.left[-_REACH:], text[: value.start()], task.right[:_REACH]))
    same = re.findall(rf"(?<![\w.]){re.escape(value['before'])}[ \t]*{name}\b[ \t]*{_MORE}", around)
    if same:
        return "" in same
    first = goes_on = 0
    for line in re.finditer(rf"(?m)^[ \t]*(.*(?<![\w.]){name}\b.*)$", around):
        if task.imports is not None and task.imports.match(line[1]):
            continue
        for before, after in re.findall(rf"(\(?)(?<![\w.]){name}\b[ \t]*{_MORE}", line[1]):
            if not before and not after:
                return True
            first, goes_on = first + (not after), goes_on + (after != "")
    if not first and not goes_on:
        return "." in value["name"]
    return not goes_on
