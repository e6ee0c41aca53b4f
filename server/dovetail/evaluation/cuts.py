"""Ways to cut programs: the data sets of the published experiments, and the cuts of users.

`boundary` and `randspan` are those of Melcer et al. 2024, section VII.A: two symbols of one block between which the
text is removed, with a random part of the first; and a random point in the first nine tenths of a file, after
which 100 characters or a fifth of the file go, whichever is less. `line` is the rest of a line, `block` the body of
a short block, as people have them completed. `left-only` is as SynCode (Ugare et al. 2024) and others ask: a
function up to its documentation, and nothing to the right of it.
"""

from __future__ import annotations

import ast
import tokenize
from dataclasses import dataclass
from io import StringIO
from itertools import accumulate
from typing import TYPE_CHECKING

from dovetail.decoding.limits import Shape
from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.verdict import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from dovetail.grammar.facts import Facts

Cut = tuple[int, int]
"""The start and end of the removed text, in characters."""

_SPAN = 100
_LINES = 10
"""A block of more lines says more about the budget than about the model."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """One way to make cases of programs."""

    name: str
    cut: Callable[[Random, str], Cut | None]
    """None where a program has no such place."""
    shape: Shape
    """The limit at which a completion ends."""
    takes_right: bool = True
    """True if the text after the removed one is kept."""
    cut_any: Callable[[Random, str], Cut | None] | None = None
    """The same for programs of any language; None where `cut` needs the interpreter's parser or tokenizer."""

    def cut_for(self, facts: Facts) -> Callable[[Random, str], Cut | None]:
        """Return the way to cut programs of a language; raises EvaluationError where there is none."""
        found = self.cut if facts.is_running else self.cut_any
        if found is None:
            fitting = ", ".join(name for name, dataset in DATA_SETS.items() if dataset.cut_any is not None)
            raise EvaluationError(
                f"--dataset {self.name}: programs in {facts.title} cannot be cut like that; choose from {fitting}."
            )
        return found


@dataclass(frozen=True, slots=True)
class _Symbol:
    """A token of Python's tokenizer that has a text of its own."""

    start: int
    end: int
    kind: int
    block: int
    """Its block; a block that is opened within another is one of its own."""


def _boundary(random: Random, text: str) -> Cut | None:
    symbols = list(_symbols(text))
    last = {symbol.block: place for place, symbol in enumerate(symbols)}
    firsts = [place for place, symbol in enumerate(symbols) if place < last[symbol.block]]
    if not firsts:
        return None
    place = random.choice(firsts)
    first = symbols[place]
    second = random.choice([symbol for symbol in symbols[place + 1 :] if symbol.block == first.block])
    return random.randint(first.start, first.end), second.start


def _randspan(random: Random, text: str) -> Cut | None:
    begin = random.randint(0, len(text) * 9 // 10)
    return begin, min(len(text), begin + min(_SPAN, len(text) // 5))


def _line(random: Random, text: str) -> Cut | None:
    symbols = [symbol for symbol in _symbols(text) if symbol.kind != tokenize.COMMENT]
    symbols = [symbol for symbol in symbols if "\n" not in text[symbol.start : symbol.end]]
    if not symbols:
        return None
    symbol = random.choice(symbols)
    end = text.find("\n", symbol.start)
    return random.randrange(symbol.start, symbol.end), end if end >= 0 else len(text)


def _rest_of_line(random: Random, text: str) -> Cut | None:
    places = [place for place, character in enumerate(text) if not character.isspace()]
    begin = random.choice(places) if places else 0
    end = text.find("\n", begin)
    return (begin, end if end >= 0 else len(text)) if places else None


def _block(random: Random, text: str) -> Cut | None:
    bodies: dict[int, Cut] = {}  # line of the header → the body
    offsets = _line_offsets(text)
    for node in ast.walk(parse(text)):
        body = getattr(node, "body", None)
        if not isinstance(body, list) or isinstance(node, ast.Module) or not body:
            continue
        begin, end = _offset(text, offsets, body[0]), _offset(text, offsets, body[-1], last=True)
        own_lines = text[offsets[body[0].lineno - 1] : begin].isspace() and text[end : end + 1] in ("\n", "")
        if own_lines and body[-1].end_lineno - body[0].lineno < _LINES:
            bodies[begin] = begin, end
    return random.choice([bodies[begin] for begin in sorted(bodies)]) if bodies else None


def _function(random: Random, text: str) -> Cut | None:
    bodies: list[Cut] = []
    offsets = _line_offsets(text)
    # Not those within a statement that the end of the text would leave open.
    for node in _outer(parse(text)):
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        if body:
            begin = _offset(text, offsets, body[0])
            if text[offsets[body[0].lineno - 1] : begin].isspace():
                bodies.append((begin, _offset(text, offsets, body[-1], last=True)))
    return random.choice(bodies) if bodies else None


def _outer(tree: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions of a module and the methods of its classes."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _outer(node)


def _symbols(text: str) -> Iterator[_Symbol]:
    offsets = _line_offsets(text)
    blocks, opened = [0], 0
    for token in tokenize.generate_tokens(StringIO(text).readline):
        if token.type == tokenize.INDENT:
            opened += 1
            blocks.append(opened)
        elif token.type == tokenize.DEDENT:
            blocks.pop()
        elif token.string.strip():
            start, end = (offsets[line - 1] + column for line, column in (token.start, token.end))
            yield _Symbol(start, end, token.type, blocks[-1])


def _line_offsets(text: str) -> list[int]:
    """Return where each line begins, the one after the last line end included."""
    return [0, *accumulate(len(line) + 1 for line in text.split("\n"))]


def _offset(text: str, offsets: list[int], node: ast.stmt, *, last: bool = False) -> int:
    """Return where a statement with its decorators begins, or ends; columns of `ast` count UTF-8 bytes."""
    line, column = node.lineno, node.col_offset
    if last:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        line, column = node.end_lineno, node.end_col_offset
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list:
        line = node.decorator_list[0].lineno
        column = node.decorator_list[0].col_offset - 1
    start = offsets[line - 1]
    return start + len(text[start : offsets[line]].encode()[:column].decode())


DATA_SETS = {
    dataset.name: dataset
    for dataset in (
        DataSet("boundary", _boundary, Shape.FREE),
        DataSet("randspan", _randspan, Shape.FREE, cut_any=_randspan),
        DataSet("line", _line, Shape.LINE, cut_any=_rest_of_line),
        DataSet("block", _block, Shape.AUTO),
        DataSet("left-only", _function, Shape.FREE, takes_right=False),
    )
}
"""Name → data set."""
