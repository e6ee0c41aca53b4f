"""UTF-8 whose last character is not whole yet, as model tokens leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.lexing.lexer import Lexer


def split_characters(data: bytes) -> tuple[str, bytes] | None:
    r"""Return the whole characters of UTF-8 bytes, and the bytes of an unfinished one at their end.

    None if the bytes are not the beginning of any UTF-8 text.

    >>> split_characters(b"a\xc3")
    ('a', b'\xc3')
    """
    try:
        return data.decode("utf-8"), b""
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            return None
        return data[: error.start].decode("utf-8"), data[error.start :]


def span(begun: bytes) -> tuple[int, int]:
    """Return the first and the last code point whose UTF-8 begins with these bytes."""
    length = 2 if begun[0] < 0xE0 else 3 if begun[0] < 0xF0 else 4
    missing = length - len(begun)
    value = begun[0] & (0x7F >> length)
    for byte in begun[1:]:
        value = value << 6 | byte & 0x3F
    first = value << 6 * missing
    shortest = {2: 0x80, 3: 0x800, 4: 0x10000}[length]
    return max(first, shortest), min(first + (1 << 6 * missing) - 1, 0x10FFFF)


def completions(begun: bytes, lexer: Lexer) -> Iterator[str]:
    """Yield one character for each way in which the lexer may read a character that begins with these bytes."""
    first, last = span(begun)
    edges, scanners = {first}, lexer.scanners.every()
    for scanner in scanners:
        edges.update(edge for edge in scanner.automaton.edges if first < edge <= last)
    seen: set[tuple[int, ...]] = set()
    for edge in sorted(edges):
        if 0xD800 <= edge <= 0xDFFF:
            continue  # A surrogate is no character, and has no UTF-8.
        character = chr(edge)
        kind = tuple(scanner.automaton.class_of(character) for scanner in scanners)
        if kind not in seen:
            seen.add(kind)
            yield character
