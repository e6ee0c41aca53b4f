"""The shortest texts of a grammar's symbols, as terminals.

A text's length is not the sum of its terminals': two words need a blank between them, and a line begins with the
blanks of its block. So each symbol has several candidates, one for each first and last terminal, as long as no
other is shorter by more than the separators at its ends could cost.
"""

from __future__ import annotations

from copy import copy
from functools import cache, cached_property
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from dovetail.grammar.compiled import Compiled

SLACK = 2
"""The bytes that the separators at both ends of a yield may cost."""

UNREAD = 1_000
"""Bytes between two terminals of which the second cannot be read in any mode after the first, as `;` in a `for`."""

NOTHING = -1
"""The terminal after a sequence, where none follows."""


class Yield(NamedTuple):
    """A sequence of terminals and its length in bytes: `fixed` + `lines` × the column of the block it is in."""

    fixed: int
    lines: int
    terminals: tuple[int, ...]


class Yields:
    """The shortest yields of all symbols of a language."""

    def __init__(
        self,
        compiled: Compiled,
        texts: Sequence[str],
        apart: Callable[[int, int], int],
        may_follow: Callable[[int, int], bool],
        known: list[tuple[Yield, ...]] | None = None,
    ) -> None:
        """`texts`: terminal → its spelling. `apart`: two terminals → the bytes of the separator between them.

        `may_follow`: two terminals → whether the second can be read right after the first. `known`: the yields of all
        symbols, if another run has found them (`kept_texts.py`).
        """
        layout = compiled.layout
        self.indent = layout.indent if layout else -1
        self.dedent = layout.dedent if layout else -1
        self.newline = layout.newline if layout else -1

        def apart_or_unread(last: int, first: int) -> int:
            return apart(last, first) if may_follow(last, first) else UNREAD

        self._apart = cache(apart_or_unread)
        self._may_follow = may_follow
        productions = compiled.productions
        self.of: list[tuple[Yield, ...]] = [
            (Yield(len(texts[symbol].encode()), 0, (symbol,)),) if symbol < productions.terminal_count else ()
            for symbol in range(len(productions.names))
        ]
        """Symbol → its yields, shortest first."""
        self._remembered: dict[tuple[int, ...], tuple[Yield, ...]] = {}
        self._trivia: dict[tuple[int, int], tuple[int, int]] = {}
        self._before: dict[tuple[tuple[int, ...], int], tuple[tuple[int, int, tuple[int, ...]], ...]] = {}
        if known is None:
            self._solve(list(zip(productions.lefts, productions.rights, strict=True)))
        else:
            self.of = known

    def _solve(self, productions: list[tuple[int, tuple[int, ...]]]) -> None:
        users: dict[int, list[int]] = {}
        for number, (_, right) in enumerate(productions):
            for symbol in set(right):
                users.setdefault(symbol, []).append(number)
        # The production comes back when its last symbol has got its first yield. The shortest is joined first, as in
        # Knuth, "A generalization of Dijkstra's algorithm" (1977): then few yields are found twice.
        agenda = [
            (self._least(right), number)
            for number, (_, right) in enumerate(productions)
            if all(self.of[symbol] for symbol in right)
        ]
        heapify(agenda)
        pending = {number for _, number in agenda}
        while agenda:
            _, number = heappop(agenda)
            if number not in pending:
                continue
            pending.remove(number)
            left, right = productions[number]
            best = shortest([*self.of[left], *self._join(right)])
            # Yields only get shorter, and no length is negative, so this ends.
            if best != self.of[left]:
                self.of[left] = best
                for user in users.get(left, ()):
                    if all(self.of[symbol] for symbol in productions[user][1]):
                        pending.add(user)
                        heappush(agenda, (self._least(productions[user][1]), user))

    def _least(self, symbols: tuple[int, ...]) -> int:
        """Return the bytes of the shortest yields of some symbols together."""
        return sum(self.of[symbol][0].fixed for symbol in symbols)

    @cached_property
    def within_line(self) -> Yields:
        """The yields without a line end.

        They are chosen from these yields and not found anew. A yield with a line end hides no other one: it ends with
        another terminal, or begins more lines.
        """
        other = copy(self)
        other.of = [tuple(way for way in ways if self.newline not in way.terminals) for ways in self.of]
        other._remembered, other._before = {}, {}
        return other

    def of_sequence(self, symbols: tuple[int, ...]) -> tuple[Yield, ...]:
        """Return the yields of a sequence of symbols."""
        found = self._remembered.get(symbols)
        if found is None:
            found = self._remembered[symbols] = self._join(symbols)
        return found

    def before(self, symbols: tuple[int, ...], terminal: int) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
        """Return the yields of symbols that may stand before a terminal, as (bytes, line starts, terminals).

        The bytes are those of a block at column zero, with the separator before the terminal. The line starts include
        the one after the last terminal. A yield is left out if another one with the same first terminal is no longer
        and has no more line starts. Before `NOTHING` all are kept.
        """
        found = self._before.get((symbols, terminal))
        if found is None:
            following = () if terminal == NOTHING else (terminal,)
            ways = []
            for way in self.of_sequence(symbols):
                last = way.terminals[-1] in (self.newline, self.indent, self.dedent)
                ways.append((way.fixed + self.between(way.terminals, following, 0)[0], way.lines + last, way.terminals))
            # The separator after it is counted already. So yields with the same first terminal differ in their cost
            # alone.
            if following:
                ways.sort(key=lambda way: way[0])
                fewest: dict[int, int] = {}  # First terminal → line starts.
                ways = [way for way in ways if _lowers(fewest, way[2][0], way[1])]
                # These compete with others, so one that nothing can spell would displace the one that is wanted.
                ways = [way for way in ways if self._may_follow(way[2][-1], terminal)]
            found = self._before[symbols, terminal] = tuple(ways)
        return found

    def _join(self, symbols: tuple[int, ...]) -> tuple[Yield, ...]:
        found: tuple[Yield, ...] = (Yield(0, 0, ()),)
        depth = 0
        for symbol in symbols:
            depth += (symbol == self.indent) - (symbol == self.dedent)
            # Cut down after each symbol: all combinations of a long production would be too many.
            if self.newline < 0 and found[0].terminals:
                found = self._joined_bytes(found, self.of[symbol])
            else:
                found = shortest([self.joined(before, after, depth) for before in found for after in self.of[symbol]])
        return found

    def _joined_bytes(self, befores: tuple[Yield, ...], afters: tuple[Yield, ...]) -> tuple[Yield, ...]:
        """Return the shortest of all yields that one of each makes, without lines, so that only bytes count.

        Both are the shortest first, so what follows one that is too long is not looked at.
        """
        best: dict[tuple[int, int], Yield] = {}
        most = (
            befores[0].fixed + afters[0].fixed + self._apart(befores[0].terminals[-1], afters[0].terminals[0]) + SLACK
        )
        for before in befores:
            if before.fixed + afters[0].fixed >= most:
                break
            first, last = before.terminals[0], before.terminals[-1]
            for after in afters:
                length = before.fixed + after.fixed
                if length >= most:
                    break
                length += self._apart(last, after.terminals[0])
                if length >= most:
                    continue
                most = min(most, length + SLACK)
                key = (first, after.terminals[-1])
                known = best.get(key)
                if known is None or length <= known.fixed:
                    joined = Yield(length, 0, before.terminals + after.terminals)
                    if known is None or joined < known:
                        best[key] = joined
        return shortest(best.values())

    def joined(self, before: Yield, after: Yield, depth: int = 0) -> Yield:
        """Return one yield after another, which is `depth` blocks deeper than the first began."""
        fixed, lines = self.between(before.terminals, after.terminals, depth)
        return Yield(
            before.fixed + fixed + after.fixed + depth * after.lines,
            before.lines + lines + after.lines,
            before.terminals + after.terminals,
        )

    def gap(self, before: int, after: int, column: int) -> int:
        """Return the bytes between two terminals in a block of a column."""
        known = self._trivia.get((before, after))
        if known is None:
            known = self._trivia[before, after] = self.between((before,), (after,), 0)
        return known[0] + known[1] * column

    def between(self, before: tuple[int, ...], after: tuple[int, ...], depth: int) -> tuple[int, int]:
        """Return (bytes, line starts) between two sequences of terminals."""
        if not before or not after or after[0] in (self.indent, self.dedent):
            return 0, 0
        if before[-1] in (self.newline, self.indent, self.dedent):
            return depth, 1
        return self._apart(before[-1], after[0]), 0


def shortest(yields: Iterable[Yield]) -> tuple[Yield, ...]:
    """Return the yields that may be part of a shortest text: the best for each pair of first and last terminal.

    >>> shortest([Yield(5, 0, (1, 2)), Yield(3, 0, (1, 3, 2)), Yield(4, 0, (4,)), Yield(9, 0, (5,))])
    (Yield(fixed=3, lines=0, terminals=(1, 3, 2)), Yield(fixed=4, lines=0, terminals=(4,)))
    """
    best: dict[tuple[int, int], Yield] = {}
    for candidate in yields:
        key = (candidate.terminals[0], candidate.terminals[-1])
        if key not in best or candidate < best[key]:
            best[key] = candidate
    ordered = sorted(best.values(), key=_length)
    if not ordered:
        return ()
    longest, lines, _ = ordered[0]
    longest += SLACK
    return tuple(each for each in ordered if each.fixed < longest or each.lines < lines)


def _lowers(least: dict[int, int], key: int, value: int) -> bool:
    """Return whether a value is less than the least known for a key; if so, keep it.

    >>> least = {1: 5}
    >>> [_lowers(least, 1, 5), _lowers(least, 1, 4), _lowers(least, 2, 9)], least
    ([False, True, True], {1: 4, 2: 9})
    """
    lower = value < least.get(key, value + 1)
    if lower:
        least[key] = value
    return lower


def _length(candidate: Yield) -> tuple[int, int, tuple[int, ...]]:
    return candidate.lines, candidate.fixed, candidate.terminals
