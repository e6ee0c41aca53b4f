"""Context-free grammars as plain dictionaries: reversal, productive rules, shortest yields, enumeration."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Body = tuple[str, ...]
Grammar = dict[str, list[Body]]
"""Nonterminal → bodies; every symbol that is no key is a terminal."""

START = "start"
"""The start symbol of every grammar here."""


def terminals(grammar: Grammar) -> list[str]:
    """Return the terminals in the order of the alphabet."""
    symbols = {symbol for bodies in grammar.values() for body in bodies for symbol in body}
    return sorted(symbols - set(grammar))


def reversed_grammar(grammar: Grammar) -> Grammar:
    """Return the grammar of the mirrored texts."""
    return {head: [body[::-1] for body in bodies] for head, bodies in grammar.items()}


def shortest_yields(grammar: Grammar, cost: Mapping[str, int] | None = None) -> dict[str, int]:
    """Return nonterminal → cost of its cheapest text (a terminal costs 1 unless `cost` names it).

    Nonterminals that derive no text are left out.
    This is Knuth's generalisation of Dijkstra's algorithm.
    """
    prices = cost or {}
    users: dict[str, list[tuple[str, int]]] = {}  # nonterminal → (head, number of the body) that hold it
    missing: dict[tuple[str, int], int] = {}  # body → occurrences of nonterminals not yet priced
    price: dict[tuple[str, int], int] = {}  # body → cost of what is priced
    queue: list[tuple[int, str]] = []
    for head, bodies in grammar.items():
        for number, body in enumerate(bodies):
            inner = [symbol for symbol in body if symbol in grammar]
            missing[head, number] = len(inner)
            price[head, number] = sum(prices.get(symbol, 1) for symbol in body if symbol not in grammar)
            for symbol in inner:
                users.setdefault(symbol, []).append((head, number))
            if not inner:
                heapq.heappush(queue, (price[head, number], head))
    yields: dict[str, int] = {}
    while queue:
        cheapest, symbol = heapq.heappop(queue)
        if symbol in yields:
            continue
        yields[symbol] = cheapest
        for key in users.get(symbol, ()):
            missing[key] -= 1
            price[key] += cheapest
            if missing[key] == 0 and key[0] not in yields:
                heapq.heappush(queue, (price[key], key[0]))
    return yields


def reduced(grammar: Grammar, start: str = START) -> Grammar:
    """Return the part of the grammar that derives texts from `start`; its only rule has no body if none."""
    productive = shortest_yields(grammar)
    kept: Grammar = {start: []}
    waiting = [start]
    while waiting:
        head = waiting.pop()
        for body in grammar.get(head, ()):
            fruitful = all(symbol in productive or symbol not in grammar for symbol in body)
            if fruitful and body not in kept[head]:
                kept[head].append(body)
                for symbol in body:
                    if symbol in grammar and symbol not in kept:
                        kept[symbol] = []
                        waiting.append(symbol)
    return kept


def texts(grammar: Grammar, length: int, start: str = START) -> set[Body]:
    """Return every text of at most `length` terminals, by brute force: a fixpoint over sets of texts."""
    known: dict[str, set[Body]] = {head: set() for head in grammar}
    changed = True
    while changed:
        changed = False
        for head, bodies in grammar.items():
            for body in bodies:
                found = _spelled(body, known, length)
                if not found <= known[head]:
                    known[head] |= found
                    changed = True
    return known[start]


def _spelled(body: Iterable[str], known: Mapping[str, set[Body]], length: int) -> set[Body]:
    """Return the texts of a body, of at most `length` terminals, from those known of its nonterminals."""
    found: set[Body] = {()}
    for symbol in body:
        choices = known.get(symbol, {(symbol,)})
        found = {left + right for left in found for right in choices if len(left) + len(right) <= length}
    return found
