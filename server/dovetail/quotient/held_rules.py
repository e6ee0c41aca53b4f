"""Held rules: whether a program holds a rule of the grammar, as an import, which a word alone does not tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.quotient.parsed_lexemes import parsed_lexemes

if TYPE_CHECKING:
    from collections.abc import Collection

    from dovetail.parsing.stack import Node
    from dovetail.quotient.machine import Machine


def holds_rule(machine: Machine, text: str, rules: Collection[str]) -> bool:
    """Return whether one of some rules is begun in a program, and nothing else may be there.

    >>> from dovetail import load_language
    >>> machine = load_language("javascript").machine
    >>> [holds_rule(machine, text, ["module_open"]) for text in ("f(); import 'a'", "import('a')")]
    [True, False]
    """
    productions, kernels = machine.compiled.productions, machine.compiled.tables.kernels
    sought = {number for number, left in enumerate(productions.lefts) if productions.names[left] in rules}

    def tells(node: Node) -> bool:
        return all(number in sought for number, _ in kernels[node.state])

    # A lexeme may be all of a part, as the name of what is imported, over the rule.
    return any(
        all(tells(head) or (head.below and all(map(tells, head.below))) for head in lexeme.heads)
        for lexeme in parsed_lexemes(machine, text)
    )
