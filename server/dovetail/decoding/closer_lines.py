"""The lines of closing brackets at the end of a text: each stands as its opener does.

A bracket after which its line ended has its closer on a line of its own, as deep as that line. Closers of brackets that
were opened on one line stay together. The brackets are found by their signs, so the layout is a proposal: whoever asks
has to look whether the text is still a program.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLOSERS = {")": "(", "]": "[", "}": "{"}

_END = re.compile(r"[\s)\]};,]*\Z")
"""The closers that a text ends with."""

_SEVERAL = re.compile(r"[)\]}][ \t;,]*[)\]}]")

_REACH = 50_000
"""Characters before the end that are read."""

_BLANKS = re.compile(r"[ \t]*")
_REST = re.compile(r"[ \t]*(?=[\r\n]|\Z)")


class _Opener(NamedTuple):
    sign: str
    line: int
    """The number of its line."""
    blanks: str
    """The blanks that its line begins with."""
    ends_line: bool


class _Closer(NamedTuple):
    at: int
    line: int
    is_first: bool
    """True if its line has only blanks before it."""
    opener: _Opener


def lay_out_closers(left: str, text: str, comment: str | None, line_end: str, closing: str = "") -> str:
    r"""Return a text whose last closers stand as their openers do; the same text where there is nothing to do.

    A line is left as it is if the brackets that its closers end were opened on one line. `comment`: the sign that
    begins a comment. `closing`: the end of the text that nobody has laid out; what its closers end counts together, and
    a bracket behind the end of an element stands alone.

    >>> lay_out_closers('f(() => {\n  g({\n    a: ', "1,})});", "//", "\n")
    '1,\n  })\n});'
    >>> lay_out_closers("f(a,\n  g(b,\n    ", "c))", "//", "\n")
    'c))'
    >>> lay_out_closers("f() {\n  g(\n    ", "<a/>)\n  }", "//", "\n", ")\n  }")
    '<a/>\n  )\n}'
    """
    end = _END.search(text)
    if end is None or (_SEVERAL.search(text, end.start()) is None and not closing):
        return text
    left = left[-_REACH:]
    first, own = len(left) + end.start(), len(left) + len(text) - len(closing)
    closers = [closer for closer in _closers(left + text, comment) if closer.at >= first]
    parts: list[str] = []
    done = 0
    for number, closer in enumerate(closers):
        at = closer.at - len(left)
        if closer.at >= own and closer.is_first and closer.opener.ends_line:
            parts += [text[done:at].rstrip(" \t"), closer.opener.blanks]
            done = at
            continue
        on_line = {other.opener.line for other in closers if other.line == closer.line}
        before = closers[number - 1] if number and closers[number - 1].line == closer.line else None
        stays = before is not None and before.opener.line == closer.opener.line
        several = len(on_line - {closer.line}) > 1 or (closer.at >= own and text[:at].endswith(">"))
        if closer.is_first or stays or not several or not closer.opener.ends_line:
            continue
        parts += [text[done:at].rstrip(" \t"), line_end, closer.opener.blanks]
        done = at
    return "".join([*parts, text[done:]])


def _closers(text: str, comment: str | None) -> Iterator[_Closer]:
    """Yield the closers of a text that go with their openers; strings and comments are passed over."""
    begins = "" if comment is None else rf"|{re.escape(comment)}[^\r\n]*"
    signs = re.compile(
        r"/\*[\s\S]*?\*/"
        rf"{begins}"
        r"""|"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[()\[\]{}]|\r\n|\r|\n"""
    )
    opened: list[_Opener] = []
    line, start = 0, 0
    for match in signs.finditer(text):
        sign = match[0]
        if sign[0] in "\r\n":
            line, start = line + 1, match.end()
        elif sign in _CLOSERS:
            if opened and opened[-1].sign == _CLOSERS[sign]:
                is_first = not text[start : match.start()].strip()
                yield _Closer(match.start(), line, is_first, opened.pop())
            else:
                opened.clear()
        elif len(sign) == 1:
            blanks = _BLANKS.match(text, start)
            assert blanks is not None, "there may be none"
            opened.append(_Opener(sign, line, blanks[0], _REST.match(text, match.end()) is not None))
        else:
            line += len(re.findall(r"\r\n|\r|\n", sign))
