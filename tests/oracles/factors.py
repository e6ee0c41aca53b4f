"""The factors of a language as a grammar: all texts that some program contains.

For each symbol the grammar has three more: the texts that begin, that end, and that lie inside a text of it. A window
with its middle fits if and only if it is such a factor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracles.productions import START, reduced

if TYPE_CHECKING:
    from tests.oracles.productions import Body, Grammar

_BEGIN, _END, _INSIDE = "<", ">", "<>"


def factors(grammar: Grammar) -> Grammar:
    """Return a grammar of the texts w for which some v and x make v w x a text of a grammar."""
    known = reduced(grammar)
    found: Grammar = {START: [(START + _INSIDE,)]}

    def part(symbol: str, kind: str) -> Body:
        return (symbol + kind,) if symbol in known else (symbol,)

    names = {head: f"{head}." for head in known}

    def whole(symbols: Body) -> Body:
        return tuple(names.get(symbol, symbol) for symbol in symbols)

    for head, bodies in known.items():
        found[names[head]] = [whole(body) for body in bodies]
        begins: list[Body] = [()]
        ends: list[Body] = [()]
        insides: list[Body] = [()]
        found |= {head + _BEGIN: begins, head + _END: ends, head + _INSIDE: insides}
        for body in bodies:
            for low, first in enumerate(body):
                begins.append((*whole(body[:low]), *part(first, _BEGIN)))
                ends.append((*part(first, _END), *whole(body[low + 1 :])))
                insides.append(part(first, _INSIDE))
                insides.extend(
                    (*part(first, _END), *whole(body[low + 1 : high]), *part(body[high], _BEGIN))
                    for high in range(low + 1, len(body))
                )
    return {head: list(dict.fromkeys(bodies)) for head, bodies in found.items()}
