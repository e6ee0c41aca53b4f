"""Grammars of characters written out in the dialect of grammar files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.oracles.productions import Grammar


def as_lark(grammar: Grammar) -> str:
    """Return the text of a grammar file with one literal for each terminal."""
    rules = []
    for head, bodies in grammar.items():
        alternatives = [" ".join(symbol if symbol in grammar else f'"{symbol}"' for symbol in body) for body in bodies]
        rules.append(f"{head}: " + "\n    | ".join(alternatives) + "\n")
    return "\n".join(rules)
