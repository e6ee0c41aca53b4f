"""A toy language with indentation: statements `a`, blocks `b:`, brackets in which line ends mean nothing.

The reader goes line by line, as CPython's tokenizer does: a column is a pair, with tabs to 8 and tabs to 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.oracles.productions import Grammar

ALPHABET = "ab:() \n"
FULL_ALPHABET = ALPHABET + "\t#"


def characters(deepest: int, *, comments: bool = False) -> Grammar:
    """Return the language of texts with one line end more, up to a column, character by character.

    That line end closes a last line that has none, or is a blank line; the quotient by it is the language. `comments`:
    with comments at the ends of lines.
    """
    grammar: Grammar = {
        "start": [("empty",), ("block 0", "empty")],
        "blanks": [(), ("blanks", " ")],
        "tail": [("blanks",), *([("blanks", "#", "note")] if comments else [])],
        "note": [(), *(("note", character) for character in ALPHABET.replace("\n", "#"))],
        "empty": [(), ("empty", "tail", "\n")],
        "atom": [("a",), ("(", "inside", ")")],
        "inside": [(), ("inside", " "), ("inside", "\n"), ("inside", "atom")],
    }
    if comments:
        grammar["inside"].append(("inside", "#", "note", "\n"))
    for column in range(deepest + 1):
        line = ("empty", *" " * column)
        grammar[f"block {column}"] = [(f"statement {column}",), (f"block {column}", f"statement {column}")]
        grammar[f"statement {column}"] = [(*line, "atom", "tail", "\n")]
        head = (*line, "b", "blanks", ":", "tail", "\n")
        for deeper in range(column + 1, deepest + 1):
            grammar[f"statement {column}"].append((*head, f"block {deeper}"))
    return grammar


def terminals(text: str) -> list[str] | None:
    """Return the terminals of a text, layout included, or None where columns or characters do not fit."""
    found: list[str] = []
    columns = [(0, 0)]
    place = depth = 0
    fresh = True  # at the start of a logical line
    while place < len(text):
        if fresh:
            wide = narrow = 0
            while text[place : place + 1] in {" ", "\t"}:
                wide = (wide // 8 + 1) * 8 if text[place] == "\t" else wide + 1
                narrow += 1
                place += 1
            if text[place : place + 1] not in {"", "\n", "#"}:
                layout = _layout(columns, (wide, narrow))
                if layout is None:
                    return None
                found += layout
                fresh = False
                continue
        character = text[place : place + 1]
        place += 1
        if character == "#":
            while text[place : place + 1] not in {"", "\n"}:
                place += 1
        elif character == "\n":
            if not fresh and depth == 0:
                found.append("NEWLINE")
                fresh = True
        elif character and character in "ab:()":
            depth = max(0, depth + (character == "(") - (character == ")"))
            found.append(character)
        elif character not in {"", " ", "\t"}:
            return None
    if not fresh:
        found.append("NEWLINE")
    return found + ["DEDENT"] * (len(columns) - 1)


def _layout(columns: list[tuple[int, int]], column: tuple[int, int]) -> list[str] | None:
    """Return what a line of this column emits and change the open columns, or None where it does not fit."""
    if column[0] > columns[-1][0]:
        if column[1] <= columns[-1][1]:
            return None
        columns.append(column)
        return ["INDENT"]
    emitted: list[str] = []
    while column[0] < columns[-1][0]:
        columns.pop()
        emitted.append("DEDENT")
    return emitted if column == columns[-1] else None


def accepts(text: str) -> bool:
    """Return whether the text is any number of statements."""
    found = terminals(text)
    if found is None:
        return False

    def atom(place: int) -> int | None:
        if found[place : place + 1] == ["a"]:
            return place + 1
        if found[place : place + 1] != ["("]:
            return None
        place += 1
        while (end := atom(place)) is not None:
            place = end
        return place + 1 if found[place : place + 1] == [")"] else None

    def statement(place: int) -> int | None:
        if found[place : place + 4] == ["b", ":", "NEWLINE", "INDENT"]:
            end = statements(place + 4)
            return end + 1 if end > place + 4 and found[end : end + 1] == ["DEDENT"] else None
        after = atom(place)
        return after + 1 if after is not None and found[after : after + 1] == ["NEWLINE"] else None

    def statements(place: int) -> int:
        while (end := statement(place)) is not None:
            place = end
        return place

    return statements(0) == len(found)
