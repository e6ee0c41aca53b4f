"""Specialisation: a grammar in which the terminals say in which mode they were read.

A right context is lexed in every mode that may be open, and only the grammar refutes a wrong guess. Where two modes
could be taken for one another (`likeness.confusable`), the same terminal read in one and in the other becomes two
terminals, and each rule becomes one rule for each mode that its text may begin in and each that it may end in. Then a
text read in a wrong mode is no text of the grammar: the terminals differ, and an LR state says which of them may come.

An example. In the mode `operand` a name comes next, and `operator` follows it; both read `(`. The rule

    term: NAME | "(" term ")" | term "(" term ")"

has one variant, from `operand` to `operator`. In it the first `(` is the terminal of `operand`, the second that of
`operator`, and after `term` no state takes the first.

Languages without such modes are left as they are.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from dovetail.automata.dfa import Automaton
from dovetail.grammar.likeness import confusable, level
from dovetail.grammar.productions import Productions
from dovetail.grammar.tables import build_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dovetail.grammar.compiled import Compiled
    from dovetail.grammar.likeness import Pair

Variant = tuple[int, int, int]
"""(symbol, class of the mode that its text begins in, class of the mode that it ends in)."""


def specialised(compiled: Compiled) -> Compiled:
    """Return the language with its tables, and with terminals of their own for modes that could be taken for others.

    Each rule must close the modes that it opens, and no others: `lexing.checking` demands it of such a language.
    """
    layout_mode = -1 if compiled.layout is None else compiled.layout.mode
    apart = confusable(compiled.modes, layout_mode)
    if apart:
        return _Specialiser(compiled, apart).result()
    return replace(compiled, tables=build_tables(compiled.productions))


class _Specialiser:
    def __init__(self, compiled: Compiled, apart: set[Pair]) -> None:
        self.compiled = compiled
        self.modes = compiled.modes
        accepted = [frozenset(automaton.accepts) for automaton in compiled.automata]
        self.readable = [accepted[mode.automaton] - mode.ignored for mode in compiled.modes]
        """Mode → the terminals that it reads and the grammar sees."""
        self.class_of = _classes(len(self.modes), apart)
        self.outermost = level(self.modes, 0)
        self.rights: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for left, right in zip(compiled.productions.lefts, compiled.productions.rights, strict=True):
            self.rights[left].append(right)
        self.count = compiled.productions.terminal_count
        self.copies: dict[Pair, int] = {}
        """(terminal, class) → its number there, for the terminals that several classes read."""
        self.origins: list[int] = []
        """The terminals that the further numbers are copies of."""
        self._copy_terminals()
        self.shift = len(self.origins)

    def _copy_terminals(self) -> None:
        layout = self.compiled.layout
        used = {symbol for rights in self.rights.values() for right in rights for symbol in right}
        kept = {layout.newline, layout.indent, layout.dedent} if layout else set()
        for terminal in sorted(used - kept - {self.compiled.end}):
            reading = {self.class_of[number] for number, known in enumerate(self.readable) if terminal in known}
            for further in sorted(reading)[1:]:
                self.copies[terminal, further] = self.compiled.end + len(self.origins)
                self.origins.append(terminal)

    def result(self) -> Compiled:
        compiled, productions = self.compiled, self._productions()
        automata: list[Automaton] = []
        numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        modes = []
        for number, mode in enumerate(self.modes):
            own = {t: self.copies.get((t, self.class_of[number]), t) for t in mode.terminals - mode.ignored}
            automaton = compiled.automata[mode.automaton]
            accepts = [own.get(terminal, terminal) for terminal in automaton.accepts]
            key = mode.automaton, tuple(accepts)
            if key not in numbers:
                numbers[key] = len(automata)
                automata.append(
                    Automaton(automaton.edges, automaton.edge_classes, automaton.rows, accepts, automaton.samples)
                )
            modes.append(
                replace(
                    mode,
                    automaton=numbers[key],
                    terminals=frozenset(own.get(t, t) for t in mode.terminals),
                    push={own.get(t, t): target for t, target in mode.push.items()},
                    pop=frozenset(own.get(t, t) for t in mode.pop),
                    switch={own.get(t, t): target for t, target in mode.switch.items()},
                    back={own.get(t, t): target for t, target in mode.back.items()},
                )
            )
        further: dict[int, list[int]] = defaultdict(list)
        for (terminal, _), copy in self.copies.items():
            further[terminal].append(copy)
        return replace(
            compiled,
            productions=productions,
            tables=build_tables(productions),
            automata=automata,
            modes=modes,
            literals=[*compiled.literals, *(compiled.literals[origin] for origin in self.origins)],
            phrases=[
                (phrase, tuple(sorted({*covered, *(copy for t in covered for copy in further[t])})))
                for phrase, covered in compiled.phrases
            ],
            brackets=tuple((own, sign) for t, sign in compiled.brackets for own in (t, *further[t])),
        )

    def _productions(self) -> Productions:
        old = self.compiled.productions
        effects = self._effects()
        sides: dict[Variant, dict[tuple[Variant | int, ...], None]] = defaultdict(dict)
        for symbol, mode in effects:
            for right in self.rights[symbol]:
                for side, after in self._runs(right, mode, effects):
                    sides[symbol, self.class_of[mode], self.class_of[after]][side] = None
        whole = old.lefts[0]
        # The whole text is one symbol, in whatever mode it ends.
        roots = {side: None for variant in list(sides) if variant[0] == whole for side in sides.pop(variant)}
        starts = list(dict.fromkeys(side[0] for side in roots if len(side) > 1))
        reached: dict[Variant, None] = {}
        work = [start for start in starts if isinstance(start, tuple)]
        while work:
            variant = work.pop()
            if variant not in reached:
                reached[variant] = None
                work += [symbol for side in sides[variant] for symbol in side if isinstance(symbol, tuple)]
        variants = sorted(reached)
        end = self.compiled.end + self.shift
        number = {variant: end + 3 + index for index, variant in enumerate(variants)}
        first = end + 2  # the start rule in whatever mode its text ends
        terminals = [*range(self.compiled.end), *self.origins, self.compiled.end]
        names = [old.names[terminal] for terminal in terminals]
        names += [old.names[whole], old.names[old.rights[0][0]], *(old.names[variant[0]] for variant in variants)]
        lefts = [end + 1]
        rights: list[tuple[int, ...]] = [(first, end)]
        if any(len(side) == 1 for side in roots):
            lefts.append(end + 1)
            rights.append((end,))
        lefts += [first] * len(starts)
        rights += [(number[start] if isinstance(start, tuple) else start,) for start in starts]
        for variant in variants:
            own = [tuple(number[s] if isinstance(s, tuple) else s for s in side) for side in sides[variant]]
            for side in sorted(own):
                if side != (number[variant],):
                    lefts.append(number[variant])
                    rights.append(side)
        return Productions(names, self.count + self.shift, lefts, rights)

    def _effects(self) -> dict[Pair, set[int]]:
        """Return (symbol, mode that its text begins in) → the modes that it may end in."""
        start = self.compiled.productions.lefts[0], 0
        found: dict[Pair, set[int]] = {start: set()}
        users: dict[Pair, set[Pair]] = defaultdict(set)  # a symbol and mode → those in whose right sides it was met
        waiting = {start}
        while waiting:
            place = waiting.pop()
            after: set[int] = set()
            for right in self.rights[place[0]]:
                after |= self._ends(right, place, found, users, waiting)
            if not after <= found[place]:
                found[place] |= after
                waiting |= users[place]
        return found

    def _ends(
        self,
        right: tuple[int, ...],
        place: Pair,
        effects: dict[Pair, set[int]],
        users: dict[Pair, set[Pair]],
        waiting: set[Pair],
    ) -> set[int]:
        """Return the modes after a right side, as far as they are known; symbols that are met first have to wait."""
        current: set[tuple[int, ...]] = {(place[1],)}
        for symbol in right:
            following: set[tuple[int, ...]] = set()
            for modes in current:
                if symbol >= self.count:
                    inner = symbol, modes[-1]
                    if inner not in effects:
                        effects[inner] = set()
                        waiting.add(inner)
                    users[inner].add(place)
                    following |= {(*modes[:-1], after) for after in effects[inner]}
                elif (stack := self._after(symbol, modes)) is not None:
                    following.add(stack)
            current = following
        return {modes[0] for modes in current if len(modes) == 1}

    def _runs(
        self, right: tuple[int, ...], mode: int, effects: dict[Pair, set[int]]
    ) -> Iterator[tuple[tuple[Variant | int, ...], int]]:
        """Yield the ways to read a right side from a mode on, as (its symbols, the mode after it)."""
        current: list[tuple[tuple[Variant | int, ...], tuple[int, ...]]] = [((), (mode,))]
        for symbol in right:
            following: dict[tuple[tuple[Variant | int, ...], tuple[int, ...]], None] = {}
            for side, modes in current:
                top = modes[-1]
                if symbol >= self.count:
                    for after in sorted(effects[symbol, top]):
                        variant = symbol, self.class_of[top], self.class_of[after]
                        following[(*side, variant), (*modes[:-1], after)] = None
                elif (stack := self._after(symbol, modes)) is not None:
                    number = self.copies.get((symbol, self.class_of[top]), symbol)
                    following[(*side, number + self.shift * (symbol == self.compiled.end)), stack] = None
            current = list(following)
        for side, modes in current:
            if len(modes) == 1:
                yield side, modes[0]

    def _after(self, terminal: int, modes: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the modes after a terminal, or None if it cannot be read in the innermost."""
        mode, layout = self.modes[modes[-1]], self.compiled.layout
        if terminal == self.compiled.end:
            return modes if len(modes) == 1 and modes[0] in self.outermost else None
        if layout is not None and terminal in (layout.indent, layout.dedent):
            return modes if modes[-1] == layout.mode else None
        if terminal not in self.readable[modes[-1]]:
            return None
        if terminal in mode.push:
            return (*modes[:-1], mode.back.get(terminal, modes[-1]), mode.push[terminal])
        if terminal in mode.pop:
            return modes[:-1] or None
        return (*modes[:-1], mode.switch.get(terminal, modes[-1]))


def _classes(count: int, apart: set[Pair]) -> list[int]:
    """Return a number for each mode, different for modes that could be taken for one another."""
    found: list[int] = []
    for mode in range(count):
        taken = {found[other] for other in range(mode) if (mode, other) in apart or (other, mode) in apart}
        found.append(next(number for number in range(count) if number not in taken))
    return found
