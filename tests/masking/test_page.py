"""The page that derives the mask is true: its example is worked out again, table by table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.masking.hostile import vocabulary

import dovetail
from dovetail.masking import mask
from dovetail.masking.filter_result import Surroundings
from dovetail.masking.mask import Masker, unpack

if TYPE_CHECKING:
    from dovetail.masking.class_table import ClassTable

PAGE = (Path(mask.__file__).parent / "README.md").read_text(encoding="utf-8")
LEFT, RIGHT = "[[7", " ]"
SIGNS = {"COMMA": ",", "LSQB": "[", "RSQB": "]"}


def rows(heading: str, number: int = 0) -> list[list[str]]:
    """Return the cells of a table under a heading of the page, without the row of titles."""
    section = PAGE.split(f"## {heading}")[1].split("\n## ")[0]
    tables = re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE)
    return [[cell.strip(" ") for cell in line.split("|")[1:-1]] for line in tables[number].splitlines()[2:]]


def quoted(cell: str) -> list[str]:
    """Return the texts between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def listed(heading: str) -> list[str]:
    """Return the tokens that are listed between bars under a heading."""
    (line,) = re.findall(r"^    (\|.*\|)$", PAGE.split(f"## {heading}")[1].split("\n## ")[0], re.MULTILINE)
    return re.findall(r"\|([^|]+)\|(?:  |$)", line)


TOKENS = listed("The example")


@pytest.fixture(name="masker", scope="module")
def _masker(tmp_path_factory: pytest.TempPathFactory) -> Masker:
    """Return masks for the page's language and vocabulary."""
    folder = tmp_path_factory.mktemp("page")
    path = folder / "lists.lark"
    (grammar,) = re.findall(r"```lark\n(.*?)```", PAGE, re.DOTALL)
    path.write_text(grammar, encoding="utf-8")
    return Masker(dovetail.load_language(path), vocabulary(token.encode() for token in TOKENS), folder)


def state(masker: Masker) -> dovetail.State:
    """Return the page's place."""
    return masker.language.quotient(LEFT, RIGHT).start


def settled(masker: Masker) -> dovetail.State:
    """Return the page's place after the number."""
    found = masker._settle(state(masker))
    assert found is not None
    return found


def table(masker: Masker, place: dovetail.State) -> ClassTable:
    """Return the classes from the lexer's state of a place."""
    return masker.table(masker._start_state(place.parts()[1].lexer))


def sign(masker: Masker, symbol: int) -> str:
    """Return a terminal as the page writes it."""
    name = masker.machine.compiled.productions.names[symbol]
    return SIGNS.get(name, name)


def sequence(masker: Masker, found: ClassTable, node: int) -> list[str]:
    """Return the terminals that lead to a node."""
    above = sequence(masker, found, found.classes.parents[node]) if node else []
    return [*above, sign(masker, found.classes.symbols[node])] if node else []


def worked_out(masker: Masker, found: ClassTable) -> list[list[object]]:
    """Return the rows of a table of classes."""
    answer: list[list[object]] = []
    for node in range(len(found.classes.parents)):
        for number in found.at(node):
            end = found.classes.ends[found.classes.end_of[number]]
            tokens = [token for index, token in enumerate(TOKENS) if found.classes.class_of[index] == number]
            pending = [] if end.accepted < 0 else [sign(masker, end.accepted)]
            answer.append([number, tokens, sequence(masker, found, node), pending])
    return answer


def from_page(table_rows: list[list[str]]) -> list[list[object]]:
    """Return the rows of a table of classes as the page has them."""
    return [
        [int(number), quoted(tokens), quoted(terminals), quoted(pending) or (["WS"] if pending else [])]
        for number, tokens, terminals, pending in table_rows
    ]


def blank_named(found: list[list[object]]) -> list[list[object]]:
    """Return rows in which the ignored terminal has the name that the page's reader gives it."""
    known = {*SIGNS.values(), "NUMBER"}
    return [[*row[:3], [name if name in known else "WS" for name in row[3]]] for row in found]  # type: ignore[attr-defined]


def test_the_tables_of_classes(masker: Masker) -> None:
    """The classes inside the number and after it have the page's tokens, terminals and ends."""
    inside = worked_out(masker, table(masker, state(masker)))
    after = worked_out(masker, table(masker, settled(masker)))

    assert from_page(rows("Step 1", 0)) == blank_named(inside)
    assert from_page(rows("Step 1", 1)) == blank_named(after)
    refused = table(masker, settled(masker)).classes.class_of[: len(TOKENS)] == 0
    assert [token for token, out in zip(TOKENS, refused, strict=True) if out] == ["x"]


def test_the_tree_of_sequences(masker: Masker) -> None:
    """The second table has the six nodes that the page names, in another order."""
    found = table(masker, settled(masker))
    nodes = [sequence(masker, found, node) for node in range(len(found.classes.parents))]

    assert "nothing, `,`, `[`, `]`, `] ]` and `NUMBER`" in PAGE
    assert sorted(nodes) == sorted([[], [","], ["["], ["]"], ["]", "]"], ["NUMBER"]])
    assert "it has six nodes" in PAGE


def test_the_prefixes(masker: Masker) -> None:
    """Each prefix decides the page's classes and defers the page's classes and nodes."""
    right, (heads, (stack, indents, line, *_)), _ = settled(masker).parts()
    found = table(masker, settled(masker))
    placed = masker.class_filter.placed(found, Surroundings(stack, indents, line))
    answer = []
    for depth in range(1, 5):
        prefix, below, bottom = masker.prefixes.of(heads, depth)
        result = masker.class_filter.result(placed, 0, prefix, indents)
        deferred = {number for later in result.deferred for number in later.classes}
        nodes = {" ".join(sequence(masker, found, later.node)) for later in result.deferred if later.question is None}
        answer.append([depth, set(result.classes()), deferred, nodes])
    expected = [
        [
            int(depth),
            set(map(int, fitting.split())),
            set(map(int, re.findall(r"\b\d+\b", more))),
            set(quoted(more)),
        ]
        for depth, fitting, more in rows("Step 3")
    ]

    assert answer == expected
    assert (below, bottom) == ((), True)
    assert not masker._always_viable.holds(right.recognizer.intersection, below, bottom)


def test_the_mask(masker: Masker) -> None:
    """The mask is the page's, and what the slow way gives."""
    found = np.flatnonzero(unpack(masker.mask(state(masker))))

    assert [TOKENS[token] for token in found] == listed("Step 4")
    assert [token for token in TOKENS if state(masker).advance(token) is not None] == listed("Step 4")
