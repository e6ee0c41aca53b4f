"""Confused sign: one that is easily written for another, as a comma for a dot, and the lines in which it is.

It tells apart repairs after which a text fits equally far (`least_repair.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.diagnostics.line_places import goes_deeper, line_end, line_start, rest_of_line
from dovetail.diagnostics.word_pattern import one_of

if TYPE_CHECKING:
    from dovetail.diagnostics.change import Change
    from dovetail.grammar.mistakes import Mistakes

_CONFUSED = {
    ",": (".", ";"),
    ".": (",",),
    ";": (",", ":"),
    ":": ("=>", "=", ",", ":="),
    "=": ("==", ":", "=>", ":="),
    "==": ("=", "=>"),
    "=>": ("=", "->", ">=", ":"),
    "->": (".", "=>", ":"),
    "::": (".", ":"),
    ":=": ("=", ":"),
    "=:": (":=", "=="),
    "(": ("{", "["),
    "[": ("(", "{"),
    "{": ("(", "["),
    ")": ("]", "}"),
    "]": (")", "}"),
    "}": (")", "]"),
}
"""A sign that is written → those that may be meant, the likeliest first."""
UNLIKELY = 9
"""The rank of a change that nothing speaks for."""
_HERE = "\0"
_PLACES = {
    (":", ":="): re.compile(r"^\s*[\w, ]+\0"),
    ("=:", ":="): re.compile(r"^\s*(?:(?!\s*(?:if|elif|while)\b)|(?=.*;))[\w, ]+\0"),
    (":", "=>"): re.compile(r"^(?!\s*\)\s*\0).*\)\s*\0"),
    ("=>", "="): re.compile(
        r"^(?!.*\b(?:const|let|var)\s+\{[^{}]*\0)(?!.*(?:[(,]\s*\w+|[}\]])\s*\0\s*[A-Z])(?!.*\0[^=\"'`]*[\w>\]}]\s*=(?![=>]))"
    ),
    ("=>", ">="): re.compile(r"(?:\b(?:if|while|return|case)\b|[(&|?!]|[^=!<>]=(?![=>])).*[\w\]]\s*\0"),
    ("=", "=="): re.compile(r"^(?!.*,\s*\w+\0[^\s=]).*[^\s)\]}].*\0"),
    ("=", ":="): re.compile(r"^(?!.*,\s*\w+\0[^\s=]).*\0"),
    ("=", ":"): re.compile(r"\S.*\0|\0\s*\S"),
    (",", ";"): re.compile(r"^(?!\s*[\w$]+\s*:|\s*return\s*\0).*\0\s*\Z"),
    (":", ","): re.compile(r"^[^?]*[(\[][^?)\]]*\0\s*[^\s)\]}]"),
    (".", ","): re.compile(r"\0\s+[\w\"'`\[{]|(?:[^\w)\]]\0|\0(?=[^\w\s(]))(?!\s*[)\]}])"),
}
"""A sign and the one that was meant → the lines in which they are confused, with a mark in the sign's place."""
_DECLARED = r"(?:\b%s\s+[\w.$\[\]{}, ]+|^\s*\w+[.\[][\w.\[\]]*\s*)\0"
"""The lines in which `:` is confused with `=`, with the words that declare variables."""
_BEFORE_VALUES = {":": (",",), "=>": ("=",)}
"""A sign and those that were hardly meant before a type."""
_NEXT_WORD = re.compile(r"\s*([^\W\d]\w*)")
_QUOTES = frozenset("\"'`")
_DOTS = frozenset((",", "->", "::"))
_SIGN = re.compile(r"[^\w\s]+")
_ENDS_HEADER = re.compile(r"\)\0\s*\Z")
_CALLED = re.compile(r"[\w)\]][(\[]")
_GLUED = re.compile(r"[\w)\]][^\w\s]{1,2}[^\W\d]")


def is_likely(mistakes: Mistakes, text: str, change: Change) -> bool:
    """Return whether a message may name a change: signs that are one too many, and words that begin a line or part.

    Words and strings are never too many: what stands before them is not complete.

    A semicolon makes two statements of most of what does not fit, so it is named only for a comma. Nothing is lost
    between a name and a bracket right behind it, before a word that begins a declaration, or above a deeper line.
    """
    written, meant = text[change.start : change.end], change.sign.strip()
    if written and meant and rank(mistakes, text, change) == UNLIKELY:
        return False
    if not written and meant and (_CALLED.match(text, change.start - 1) or _begins_declaration(mistakes, text, change)):
        return False
    if not written and meant == "," and not text[change.start : line_end(text, change.start)].strip():
        return not goes_deeper(text, change.start)
    if not meant:
        return not (written[0].isalnum() or written[0] in _QUOTES)
    if (meant == ";" and written != ",") or not (meant.isalnum() or _SIGN.fullmatch(meant)):
        return False
    is_first = not text[line_start(text, change.start) : change.start].strip()
    return not meant.isalpha() or (is_first and meant != "return") or meant in mistakes.between


def _begins_declaration(mistakes: Mistakes, text: str, change: Change) -> bool:
    """Return whether a word that declares variables stands behind a change."""
    return re.compile(rf"{one_of(mistakes.declares)}\b").match(text, change.start) is not None


def rank(mistakes: Mistakes, text: str, change: Change) -> int:
    """Return how likely it is that one sign was written for the other; 0 is the likeliest.

    Between two words, without blanks, it was a dot. Where one sign stands there twice, the second is too many.
    """
    written, meant = text[change.start : change.end], change.sign.strip()
    if not written:
        # `f(a (b) => c)`: the bracket begins another argument.
        is_apart = text[change.start - 1 : change.start + 1] == " ("
        return 3 if meant == "," and is_apart else UNLIKELY
    before = text[line_start(text, change.start) : change.start]
    place = _PLACES.get((written, meant))
    if (written, meant) == (":", "="):
        place = re.compile(_DECLARED % one_of(mistakes.declares))
    if place and not place.search(f"{before}{_HERE}{rest_of_line(text, change.end)}"):
        return UNLIKELY
    if meant in _BEFORE_VALUES.get(written, ()) and _is_before_type(mistakes, text, change):
        return UNLIKELY
    if len(written) > 1 and written[::-1] == meant:
        return 0
    if meant == ".":
        return 1 if written in _DOTS and _GLUED.match(text, change.start - 1) else UNLIKELY
    if meant in _CONFUSED.get(written, ()):
        return 2 + _CONFUSED[written].index(meant)
    is_twice = len(written) == 1 and not meant and not written.isalnum() and text[change.start - 1] == written
    if is_twice:
        return 0
    # `if (a):` as other languages have it, where a name before the colon would make a label.
    ends_header = (
        written == ":" and not meant and _ENDS_HEADER.search(f"{before}{_HERE}{rest_of_line(text, change.end)}")
    )
    return 1 if ends_header else UNLIKELY


def _is_before_type(mistakes: Mistakes, text: str, change: Change) -> bool:
    """Return whether a type stands behind a change: one of other languages, or a word that stands so elsewhere."""
    word = _NEXT_WORD.match(text, change.end)
    if word is None:
        return False
    name = re.escape(word[1])
    is_type_elsewhere = re.search(rf":[ \t]*{name}\b", text) and not re.search(rf"(?<!=)=[ \t]*{name}\b", text)
    return word[1] in mistakes.types or (text[change.start : change.end] == "=>" and bool(is_type_elsewhere))
