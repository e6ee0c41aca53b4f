"""The symbols of a grammar in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dovetail
from dovetail.quotient.symbols import Symbols

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_repeated_is_named(tmp_path: Path) -> None:
    """A repetition of one symbol is named by it, one of several by its rule; no name of the reader's own is shown."""
    (tmp_path / "lists.lark").write_text('start: item* ";" (item | NUMBER)+\nitem: "x"\nNUMBER: /[0-9]+/\n')
    machine = dovetail.load_language(tmp_path / "lists.lark").machine
    symbols = Symbols(machine)

    names = {symbols.name(symbol) for symbol in range(len(machine.compiled.productions.names))}

    assert names == {
        "`x`",
        "`;`",
        "number",
        "the end of the text",
        "the whole text",
        "start",
        "item",
        "item+",
        "start…",
    }
    assert symbols.name(-1) == "$"


def test_productions_and_items() -> None:
    """A production is written with an arrow, an item with a dot at the place that was reached."""
    machine = dovetail.load_language("json").machine
    symbols = Symbols(machine)
    productions = machine.compiled.productions
    number = next(
        number for number, left in enumerate(productions.lefts)
        if productions.names[left] == "member"
    )  # fmt: skip

    assert symbols.production(number) == "member → string `:` value"
    assert symbols.production(number, 2) == "member → string `:` • value"
    assert symbols.items(0) == ("the whole text → • file the end of the text",)
