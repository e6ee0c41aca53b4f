"""The parameters of the functions that other files define, read from the line of a definition.

Languages differ in what stands around a name; what a call has to know is alike in all: the names in the brackets behind
it, and which of them may be left out. A mistake here makes a model a little less sure, and refuses nothing.
"""

from __future__ import annotations

import re

from dovetail.decoding.signature import PROPERTY, UNKNOWN, Signature

_LONGEST = 400
"""Characters of a parameter list that are read; behind them more may come."""

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_PARAMETER = re.compile(r"(?:(?:public|private|protected|readonly|override|final)[ \t]+)*([^\W\d]\w*)?")
_LEFT_OUT = re.compile(r"\?[ \t]*(?::|$)|(?<![=!<>])=(?![=>])")
_RECEIVERS = frozenset({"self", "cls", "this"})
_STRING = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`")

_PROPERTY = re.compile(
    r"^[ \t]*@[\w.]*(?:property|reify)\b.*\n(?:[ \t]*@.*\n)*[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE
)
_ACCESSOR = re.compile(r"\b(?:get|set)[ \t]+(\w+)[ \t]*\(")


def properties_of(text: str) -> frozenset[str]:
    r"""Return the names that some lines define as properties: written like functions, and used without a call.

    >>> sorted(properties_of("@property\ndef total(self):\n    ...\ndef add(self):\n    ...\n"))
    ['total']
    """
    return frozenset(_PROPERTY.findall(text))


def signature_in(line: str, name: str) -> str:
    """Return the signature of a name in the line that defines it, with the lines that its brackets need.

    Where it is no function there, or no name follows what may be one, the signature is `UNKNOWN`.

    >>> signature_in("async def add(self, item: Item[int, str], count: int = 1, *, sure=False):", "add")
    '(item, count=, *)'
    >>> signature_in("total<T>(tax: (a: T) => number, rest?: string): T {", "total")
    '(tax, rest=)'
    >>> signature_in("func (c *Cart) Add(item Item, more ...string) int {", "Add")
    '(item, *)'
    >>> signature_in("items: list[str] = new()", "items")
    ''
    """
    accessor = _ACCESSOR.search(line)
    if accessor is not None and accessor[1] == name:
        return PROPERTY
    found = re.search(rf"(?<![\w.]){re.escape(name)}[ \t]*(?:<[^()]*>|\[[^()]*\])?\(", line) or re.search(
        rf"[.:]{re.escape(name)}[ \t]*\(", line
    )
    if found is None:
        return UNKNOWN
    parts, is_closed = _parts(_STRING.sub("''", line[found.end() : found.end() + _LONGEST]))
    names: list[str] = []
    required: int | None = None
    for part in parts:
        if part == "/" or (not names and part.partition(":")[0].strip() in _RECEIVERS):
            continue
        if part.startswith("*") or "..." in part:
            is_closed = False
            break
        if required is None and _LEFT_OUT.search(part):
            required = len(names)
        found = _PARAMETER.match(part)
        names.append((found and found[1]) or "")
    return Signature(tuple(names), len(names) if required is None else required, not is_closed).text


def _parts(text: str) -> tuple[list[str], bool]:
    """Return what stands between the commas up to the closing bracket, and whether there is one."""
    parts, begun, expected = list[str](), 0, list[str]()
    for place, sign in enumerate(text):
        if sign in _BRACKETS:
            expected.append(_BRACKETS[sign])
        elif sign == "<" and text[place - 1 : place].isalnum():
            expected.append(">")
        elif expected and sign == expected[-1] and text[place - 1 : place + 1] not in ("=>", "->"):
            expected.pop()
        elif not expected and sign in ",)":
            parts.append(text[begun:place].strip())
            begun = place + 1
            if sign == ")":
                return [part for part in parts if part], True
    return [part for part in parts if part], False
