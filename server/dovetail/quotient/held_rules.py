"""Held rules: whether a program holds a rule of the grammar, as an import, which a word alone does not tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lexing.lexemes import lexemes

if TYPE_CHECKING:
    from collections.abc import Collection

    from dovetail.parsing.stack import Heads, Node
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

    stacks = machine.stacks()
    heads: Heads = (stacks.bottom,)
    for lexeme in lexemes(machine.lexer, text):
        terminal = lexeme.terminal
        way = None if terminal is None else machine.lexer.modes.known_transition(lexeme.stack, terminal)
        if terminal is None or way is None or way.ignored:
            continue
        heads = stacks.shift(heads, terminal)
        if not heads:
            return False  # The lexer reads the text in another way, so nothing is said of it.
        # The lexeme may be all of a part, as the name of what is imported, over the rule.
        if all(tells(head) or (head.below and all(map(tells, head.below))) for head in heads):
            return True
    return False
