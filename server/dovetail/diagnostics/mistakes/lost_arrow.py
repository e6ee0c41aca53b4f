"""Lost arrow: a call whose last argument is a function of which only the block is left, as in `useEffect() {`.

The bracket before the block was meant for its end, where another one closes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.flaw import brackets_of, closer_of
from dovetail.diagnostics.hint import Hint, Meant
from dovetail.diagnostics.line_places import line_end, line_start
from dovetail.diagnostics.reach import fits
from dovetail.parsing.configuration import Configuration

if TYPE_CHECKING:
    from dovetail.quotient.right_side import RightSide

_ARROW, _BRACE = "=>", "{"
_NAME = re.compile(r"[^\W\d]\w*")
_CALLED = re.compile(r"[\w$.]+\Z")
_CLOSED = re.compile(r"[ \t]*[,)]")
"""The beginning of what stands behind the block of a function among arguments."""
_LONG = 40
"""The most characters of a call that a message shows."""


def find_lost_arrow(right: RightSide, text: str, offset: int) -> Hint | None:
    """Return the hint for the block at an offset behind a call if a function before it makes its end fit; else None.

    A single name in the brackets is its parameter.
    """
    if not text.startswith(_BRACE, offset) or _ARROW not in right.lexer.compiled.literals:
        return None
    before = len(text[:offset].rstrip()) - 1
    last, closer = brackets_of(right.lexer, text[:offset]).last, closer_of(right.lexer, text, offset)
    if last is None or last[1] != before or text[before] != ")" or closer is None:
        return None
    opener, _ = last
    called = _CALLED.search(text, line_start(text, opener), opener)
    if called is None:
        return None  # They are the parameters of a function, and what stands around it ends where it should.
    if not _CLOSED.match(text, closer + 1) or line_start(text, opener) != line_start(text, offset):
        return None
    arguments = text[opener + 1 : before].strip()
    is_parameter = not arguments or _NAME.fullmatch(arguments)
    meant = f"({f'({arguments})' if is_parameter else f'{arguments}, ()'} {_ARROW} {_BRACE}"
    at = Configuration((right.stacks.bottom,), right.lexer.start).read(right.lexer, right.stacks, text[:opener])
    if at is None or not fits(right, at, f"{meant}{text[offset + 1 : line_end(text, closer)]}\n"):
        return None
    first = called.start()
    written = text[first : offset + 1]
    words = f"expected `{_ARROW}` before `{_BRACE}`"
    if len(written) <= _LONG:
        words = f"`{written}` does not fit here; write `{text[first:opener]}{meant}`"
    return Hint(first, words, Meant(opener, offset + 1, meant, is_sure=True))
