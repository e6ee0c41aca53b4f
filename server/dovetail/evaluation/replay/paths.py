"""Cursor paths: the stretches of a file that are typed, made from the file and a seed alone."""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import TYPE_CHECKING

from dovetail.evaluation.replay.places import Places
from dovetail.evaluation.replay.rhythm import pauses
from dovetail.evaluation.replay.stretch import Stretch, StretchKind
from dovetail.evaluation.replay.tokens import read_tokens
from dovetail.evaluation.verdict import parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from dovetail.evaluation.replay.tokens import Tokens

Span = tuple[int, int]
"""The start and end of a text, in characters."""

_EDITS = 2
"""Edited lines of a file."""

_INSIDE_NAME = 0.25
"""The share of edits that write the end of a name anew."""

_SHORTEST_NAME = 4
_SHORTEST, _LONGEST = 3, 40
"""Characters of an edited expression."""

_SHORTEST_BODY = 20


def make_path(random: Random, text: str, most: int) -> tuple[Stretch, ...]:
    """Return the stretches of a program: a body that is filled, text that is appended, and lines that are edited.

    All together have about `most` characters at most. A program without a function that is short enough has no path.
    Raises SyntaxError or tokenize.TokenError where the tokenizer gives up.
    """
    tokens, tree, places = read_tokens(text), parse(text), Places(text)
    # Two fifths for a body, what it leaves and two fifths more for what is appended.
    body = _body(random, tree, tokens, places, most * 2 // 5)
    if body is None:
        return ()
    edits = _edits(random, tree, tokens, places)
    left = most - (body[1] - body[0]) - sum(end - begin for begin, end in edits)
    appended = _appended(random, tokens, left)
    spans = [(StretchKind.APPEND, appended)] if appended is not None else []
    spans += [(StretchKind.BODY, body), *((StretchKind.EDIT, edit) for edit in edits)]
    return tuple(_stretch(random, text, tokens, kind, span) for kind, span in spans)


def _stretch(random: Random, text: str, tokens: Tokens, kind: StretchKind, span: Span) -> Stretch:
    begin, end = span
    line = text[text.rfind("\n", 0, begin) + 1 : begin]
    rests = pauses(random, line, text[begin:end])
    if kind is StretchKind.EDIT:
        rests = tuple(sorted({0, *rests}))  # what was deleted is a change like a key
    else:
        rests = tuple(place for place in rests if place)  # only the cursor moved, and editors ask after a change
    pairs = sorted(
        (opener - begin, closer - begin) for opener, closer in tokens.pairs.items() if begin <= opener and closer < end
    )
    return Stretch(kind, begin, end, tokens.unit, tuple(pairs), rests)


def _appended(random: Random, tokens: Tokens, most: int) -> Span | None:
    """Return lines of code from the end of a line on."""
    firsts = [
        place
        for place, (begin, end) in enumerate(zip(tokens.ends, tokens.ends[1:], strict=False))
        if end - begin <= most
    ]
    if not firsts:
        return None
    begin = tokens.ends[random.choice(firsts)]
    last = bisect_left(tokens.ends, begin + most + 1) - 1
    return begin, tokens.ends[last]


def _body(random: Random, tree: ast.Module, tokens: Tokens, places: Places, most: int) -> Span | None:
    """Return the body of a function after its documentation, from the end of the line before it on."""
    found = []
    for node, statements in _functions(tree):
        first, last = statements[0], statements[-1]
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        begin = _end_before(tokens, places.offset(first.lineno, first.col_offset))
        end = places.offset(last.end_lineno, last.end_col_offset)
        own_line = begin > places.offset(node.lineno, node.col_offset)
        if own_line and _SHORTEST_BODY <= end - begin <= most and end in tokens.ends:
            found.append((begin, end))
    return random.choice(found) if found else None


def _functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, list[ast.stmt]]]:
    """Yield functions with their statements after the documentation, where there is one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            statements = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            if statements and not isinstance(statements[0], ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node, statements


def _end_before(tokens: Tokens, place: int) -> int:
    """Return the end of the last line of code before a place; 0 if there is none."""
    index = bisect_left(tokens.ends, place)
    return tokens.ends[index - 1] if index else 0


def _edits(random: Random, tree: ast.Module, tokens: Tokens, places: Places) -> list[Span]:
    """Return parts of lines with text to their right: expressions, and ends of names."""
    expressions = [
        (begin, end)
        for node in ast.walk(tree)
        if isinstance(node, ast.expr) and (span := _expression(places, node)) is not None
        for begin, end in (span,)
    ]
    names = [(begin, end) for begin, end in tokens.names if end - begin >= _SHORTEST_NAME]
    chosen: list[Span] = []
    for _ in range(_EDITS):
        if names and random.random() < _INSIDE_NAME:
            begin, end = random.choice(names)
            cut = random.randint(begin + 1, end - 2)
            chosen.append((cut, random.randint(cut + 1, end)))
        elif expressions:
            chosen.append(random.choice(expressions))
    return chosen


def _expression(places: Places, node: ast.expr) -> Span | None:
    """Return the place of an expression on one line with something to its right; None for others."""
    if node.end_lineno != node.lineno or node.end_col_offset is None:
        return None
    begin, end = places.offset(node.lineno, node.col_offset), places.offset(node.lineno, node.end_col_offset)
    after = places.rest_of_line(end)
    return (begin, end) if _SHORTEST <= end - begin <= _LONGEST and after.strip() else None
