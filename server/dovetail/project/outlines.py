"""The members that a dot opens: of an imported class, or the definitions of an imported file, as their first lines.

Behind `client.` neither the file nor the first lines of the class say how it goes on; a list of what the class has
does. A variable is looked up by what was assigned to it, or by the type that it was given.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.project.search import Found
from dovetail.project.secrets import holds_secret

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.project.search import Source

MOST_MEMBERS = 24
"""Members that are shown, those without a leading underscore before the others."""
_MOST_CHARACTERS = 900
_LONGEST_LINE = 100
_REACH = 20_000
"""Characters before the cursor in which a variable's origin is sought."""

_RECEIVER = re.compile(r"(?<![\w.\])])(\w+)\??\.\w*\Z")
CLASS = re.compile(
    r"^(?P<before>[ \t]*)(?:\w+[ \t]+){0,4}?(?:class|interface|struct|enum|trait|namespace|type)[ \t]+(?P<name>\w+)\b",
    re.MULTILINE,
)
OUTERMOST = re.compile(
    r"(?:(?:export|default|async|public|declare|abstract|final)[ \t]+)*"
    r"(?:(?:def|class|func|function|interface|type|enum|struct|const|let|var|local|namespace)\b"
    r"|\w+(?:[ \t]*:[^=\n]+)?[ \t]*=[^=])"
)
_OPENED = {'"""': '"""', "'''": "'''", "/*": "*/"}
_PASSED_OVER = ("#", "//", "--", "*", "@", ")", "]", "}", '"', "'")


def receiver(left: str) -> str | None:
    """Return the name before the dot that is being completed, or None.

    >>> receiver("total = cart.pri"), receiver("total = cart.items().fi"), receiver("total")
    ('cart', None, None)
    """
    found = _RECEIVER.search(left[-_LONGEST_LINE:])
    return None if found is None else found[1]


def types_of(name: str, left: str) -> list[str]:
    r"""Return the names that a variable's type may have, by its assignments and annotations, the last first.

    >>> types_of("cart", "def buy(cart: shop.Cart, tax):\n    cart = Basket(tax)\n")
    ['Basket', 'Cart']
    """
    origin = re.compile(
        rf"(?<![\w.]){re.escape(name)}[ \t]*(?:\??:[ \t]*[\"']?(?:\w+\.)*(?P<type>\w+)"
        r"|:?=[ \t]*(?:(?:new|await)[ \t]+)?&?(?:\w+\.)*(?P<made>\w+)[ \t]*[({])"
    )
    found = [match["type"] or match["made"] for match in origin.finditer(left[-_REACH:])]
    return list(dict.fromkeys(reversed(found)))


def outline(names: Sequence[str], sources: Sequence[Source]) -> Found | None:
    """Return the members of the first of some names that one of the files defines, or is; None if there is none."""
    for name in names:
        for source in sources:
            key = f"{name}."  # no name has a dot, so it is none of the definitions that are remembered there
            text = source.defined.get(key)
            if text is None:
                text = source.defined[key] = _outline(name, source)
            if text:
                return Found(source.path, text, 0.0)
    return None


def _outline(name: str, source: Source) -> str:
    text = "".join(block.text for block in source.blocks)
    found = next((match for match in CLASS.finditer(text) if match["name"] == name), None)
    if found is not None:
        lines = text[found.start() :].splitlines()
        columns = len(found["before"].expandtabs())
        header, rest = [_whole(lines)[:_LONGEST_LINE]], lines[1:]
        members = list(at_first_level(rest, columns))
    elif is_file(name, source.path):
        header, members = [], [line for line in at_first_level(text.splitlines(), -1) if OUTERMOST.match(line)]
    else:
        return ""
    shown = "\n".join([*header, *_fitting(members)]) + "\n"
    return "" if not members or holds_secret(shown) else shown


def is_file(name: str, path: str) -> bool:
    """Return whether a file, or the folder that it stands for, goes by a name.

    >>> is_file("cart", "shop/cart.py"), is_file("shop", "shop/__init__.py"), is_file("cart", "shop/carts.py")
    (True, True, False)
    """
    folder, _, file = path.replace("\\", "/").rpartition("/")
    return name in (file.partition(".")[0], folder.rpartition("/")[2])


def at_first_level(lines: Sequence[str], columns: int, longest: int = _LONGEST_LINE) -> Iterator[str]:
    """Yield the lines that begin something at the first level deeper than a column, up to the next at the column.

    Each has the lines that its brackets need, and is cut behind `longest` characters.
    """
    level: int | None = None
    closer: str | None = None
    for number, line in enumerate(lines):
        bare = line.strip()
        if closer is not None:
            closer = None if closer in bare else closer
            continue
        own = len(line.expandtabs()) - len(line.expandtabs().lstrip())
        if not bare:
            continue
        if own <= columns:
            if bare.startswith((")", "]", "}", "{")):
                continue
            return
        level = own if level is None else level
        opener = next((mark for mark in _OPENED if bare.lstrip("rRbBuUfF").startswith(mark)), None)
        if opener is not None:
            closer = None if _OPENED[opener] in bare.lstrip("rRbBuUfF")[len(opener) :] else _OPENED[opener]
        elif own == level and not bare.startswith(_PASSED_OVER):
            yield _whole(lines[number:], longest)[:longest]


def _whole(lines: Sequence[str], longest: int = _LONGEST_LINE) -> str:
    """Return the first line with those after it that its brackets still need."""
    text = lines[0].rstrip()
    for line in lines[1:]:
        if text.count("(") <= text.count(")") or len(text) > longest:
            break
        text += ("" if text.endswith("(") or line.strip().startswith(")") else " ") + line.strip()
    return text


def _fitting(members: Sequence[str]) -> list[str]:
    """Return the members that there is room for, in their order."""

    def is_private(line: str) -> bool:
        word = re.search(r"(\w+)[ \t]*[(:=]", line)
        return word is not None and word[1].startswith("_")

    chosen: set[int] = set()
    room = _MOST_CHARACTERS
    for place in sorted(range(len(members)), key=lambda place: (is_private(members[place]), place)):
        if len(chosen) < MOST_MEMBERS and len(members[place]) < room:
            chosen.add(place)
            room -= len(members[place]) + 1
    return [members[place] for place in sorted(chosen)]
