"""Checks of a language before it runs; each error names the rule and the remedy.

The parser knows only the grammar. These checks ensure, once for each language, that each sequence of terminals that
the grammar allows can also be written: in the modes that are open there, and beside its neighbours.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from dovetail.automata.dfa import START
from dovetail.grammar.errors import GrammarError
from dovetail.grammar.likeness import confusable
from dovetail.lexing.adjacency import Adjacency
from dovetail.lexing.first_line import uncovered_first_line
from dovetail.lexing.lexer import Lexer
from dovetail.lexing.modes import NOTHING

if TYPE_CHECKING:
    from dovetail.grammar.compiled import Compiled
    from dovetail.grammar.reading import GrammarText

Modes = tuple[int, ...]
"""The modes that replace one mode on the stack: () once it is closed, the mode itself if nothing changed."""
_DEEPEST = 4  # The number of modes that one symbol may leave open; no language opens as many without closing them.


def check_language(compiled: Compiled, grammar: GrammarText) -> None:
    """Raise GrammarError if the language cannot be run exactly."""
    checker = _Checker(compiled, grammar)
    checker.check_terminals()
    checker.check_lines()
    checker.check_first_line()
    checker.check_modes()
    checker.check_confusion()
    checker.check_neighbours()


class _Checker:
    def __init__(self, compiled: Compiled, grammar: GrammarText) -> None:
        self.compiled = compiled
        self.grammar = grammar
        self.lexer = Lexer(compiled)
        self.names = compiled.productions.names
        self.count = compiled.productions.terminal_count
        layout = compiled.layout
        self.arranged = {layout.newline, layout.indent, layout.dedent} if layout else set()
        self.reads: set[tuple[int, int]] = set()
        """(terminal, mode): the terminals that the grammar lets a mode read; complete after `check_modes`."""
        self.unbalanced: dict[int, Modes] = {}
        """Symbol that leaves another number of modes open than there were → the modes that it leaves."""
        self.by_left: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for left, right in zip(compiled.productions.lefts, compiled.productions.rights, strict=True):
            self.by_left[left].append(right)

    def place(self, symbol: int) -> str:
        return self.grammar.place(self.names[symbol])

    def show(self, terminal: int) -> str:
        literal = self.compiled.literals[terminal] if terminal < len(self.compiled.literals) else None
        return f'"{literal}"' if literal else f"`{self.names[terminal]}`"

    def check_terminals(self) -> None:
        """Check that no terminal matches the empty text, and that some mode reads each terminal of the rules."""
        read: set[int] = set()
        for scanner in self.lexer.scanners.every():
            if scanner.accepts[START] >= 0:
                raise GrammarError(f"{self.place(scanner.accepts[START])} matches the empty text.")
            read |= set(scanner.accepts)
        unread = self.arranged | {self.compiled.end}
        for right in self.compiled.productions.rights:
            for symbol in right:
                if symbol < self.count and symbol not in read and symbol not in unread:
                    raise GrammarError(
                        f"{self.place(symbol)} is never read: no mode knows it, "
                        "or others of higher rank match all its texts."
                    )

    def check_first_line(self) -> None:
        """Check that a comment can stand in the place of what is read only at the beginning of a text."""
        terminal = uncovered_first_line(self.compiled, self.lexer.scanners[self.compiled.modes[0].automaton])
        if terminal is not None:
            raise GrammarError(
                f"{self.place(terminal)} is a first line in whose place no comment can stand, so a cursor behind "
                "blanks could take it for possible; let a comment hold all that it may hold, and end where it ends."
            )

    def check_modes(self) -> None:
        """Check that each alternative that can begin in a mode can also end there.

        A mode need not read all alternatives of a rule. One whose first symbol cannot be read never begins. Where one
        gets stuck, another alternative of the same rule with the same beginning may go on.
        """
        effects: dict[tuple[int, int], set[Modes]] = defaultdict(set)
        start = (self.compiled.productions.lefts[0], 0)
        met = {start}
        users: dict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)  # met → those whose right sides met it
        waiting = {start}
        while waiting:
            place = waiting.pop()
            after: set[Modes] = set()
            for right in self.by_left[place[0]]:
                found, visited, _ = self.read(right, place[1], effects)
                after |= found
                waiting |= visited - met
                met |= visited
                for inner in visited:
                    users[inner].add(place)
            if not after <= effects[place]:
                effects[place] |= after
                waiting |= users[place]
        self.unbalanced = {
            symbol: left for (symbol, _), lefts in sorted(effects.items()) for left in sorted(lefts) if len(left) != 1
        }
        faults: list[tuple[bool, str]] = []
        for symbol, mode in sorted(met):
            for right in self.by_left[symbol]:
                found, _, index = self.read(right, mode, effects)
                if not found and index and not self.goes_on(symbol, right[:index], mode, effects):
                    stuck = right[index]
                    text = " ".join(self.show(part) if part < self.count else self.names[part] for part in right)
                    what = self.show(stuck) if stuck < self.count else self.names[stuck]
                    message = (
                        f"{self.place(symbol)} has no text for `{text}` in mode `{self.compiled.modes[mode].name}`: "
                        f"{what} cannot be read there; write a rule without it for that place."
                    )
                    faults.append((stuck >= self.count, message))
        if faults:
            raise GrammarError(min(faults)[1])  # A terminal that cannot be read is the cause, a rule its effect.
        self.check_end(effects)

    def check_end(self, effects: dict[tuple[int, int], set[Modes]]) -> None:
        """Check that no text of the start rule leaves a mode open that was opened inside the first one.

        The right text is read from its end, where all modes are closed, so it would refuse what the left text accepts.
        """
        for whole in self.by_left[self.compiled.productions.lefts[0]]:
            left_open, _, _ = self.read(whole[:-1], 0, effects)
            for modes in sorted(left_open):
                if self.after(self.compiled.end, modes) is None:
                    inner = self.compiled.modes[modes[-1] if modes else 0].name
                    raise GrammarError(
                        f"{self.place(whole[0])} has texts that end in mode `{inner}`, which is to be closed before "
                        "the end of a text; let a rule close it, or lead there by `switch` instead of `push`."
                    )

    def check_confusion(self) -> None:
        """Check that modes that could be taken for one another can be told apart (`grammar.specialisation`).

        Where each rule closes the modes that it opens, the terminals can name their modes. Line ends and indentation
        have one terminal each.
        """
        modes, layout = self.compiled.modes, self.compiled.layout
        roles: dict[int, dict[int, int]] = defaultdict(dict)
        for terminal, number in sorted(self.reads):
            roles[terminal][(terminal in modes[number].push) - (terminal in modes[number].pop)] = number
        for terminal, readers in roles.items():
            for one, other in combinations(readers.values(), 2):
                if other not in modes[one].apart and one not in modes[other].apart:
                    raise GrammarError(
                        f"{self.grammar.path}: {self.show(terminal)} opens or closes a mode in `{modes[one].name}` "
                        f"or in `{modes[other].name}` and not in the other, so a cursor there could take one for the "
                        "other; make it two terminals."
                    )
        for one, other in sorted(confusable(modes, -1 if layout is None else layout.mode)):
            names = f"`{modes[one].name}` and `{modes[other].name}`"
            for mode in (modes[one], modes[other]):
                for terminal in sorted(mode.ignored.intersection((*mode.switch, *mode.back))):
                    raise GrammarError(
                        f"{self.grammar.path}: mode `{mode.name}` ignores {self.show(terminal)}, which leads to "
                        f"another mode, so modes {names} could be taken for one another; let a rule have it."
                    )
            for symbol, left in sorted(self.unbalanced.items()):
                raise GrammarError(
                    f"{self.place(symbol)} {'opens a mode and leaves it open' if left else 'closes a mode'}, so modes "
                    f"{names} could be taken for one another at a cursor; write what opens a mode and what closes it "
                    "in one rule, or name the modes in `apart` if the grammar tells them apart."
                )
            if layout is not None and all((layout.newline, number) in self.reads for number in (one, other)):
                raise GrammarError(
                    f"{self.grammar.path}: modes {names} both read {self.show(layout.newline)} and could be taken for "
                    "one another at a cursor; let one of them read another terminal there."
                )

    def goes_on(
        self, symbol: int, begun: tuple[int, ...], mode: int, effects: dict[tuple[int, int], set[Modes]]
    ) -> bool:
        """Return whether a rule has an alternative that begins so and can be finished in a mode."""
        alternatives = [right for right in self.by_left[symbol] if right[: len(begun)] == begun]
        return any(self.read(right, mode, effects)[0] for right in alternatives)

    def read(
        self, right: tuple[int, ...], mode: int, effects: dict[tuple[int, int], set[Modes]]
    ) -> tuple[set[Modes], set[tuple[int, int]], int]:
        """Return (the modes that a right side may leave, the symbols met on the way, the index where it gets stuck).

        The index is -1 if the right side can be read to its end.
        """
        current: set[Modes] = {(mode,)}
        met: set[tuple[int, int]] = set()
        for index, symbol in enumerate(right):
            following: set[Modes] = set()
            for modes in current:
                if not modes:
                    # The mode around is not known here, so a symbol after the closer of its own mode passes.
                    following.add(modes)
                elif symbol >= self.count:
                    met.add((symbol, modes[-1]))
                    following |= {(*modes[:-1], *effect) for effect in effects[symbol, modes[-1]]}
                elif (after := self.after(symbol, modes)) is not None:
                    following.add(after)
            current = {modes for modes in following if len(modes) <= _DEEPEST}
            if not current:
                return set(), met, index
        return current, met, -1

    def after(self, terminal: int, modes: Modes) -> Modes | None:
        """Return the modes after a terminal, or None if it cannot be read in the innermost."""
        mode = self.compiled.modes[modes[-1]]
        layout = self.compiled.layout
        if terminal == self.compiled.end:
            return modes if len(modes) == 1 and modes[0] in self.lexer.modes.outermost else None
        if layout is not None and terminal in (layout.indent, layout.dedent):
            return modes if modes[-1] == layout.mode else None
        if terminal in mode.ignored or terminal not in self.lexer.scanners[mode.automaton].becomes(START):
            return None
        self.reads.add((terminal, modes[-1]))
        if terminal in mode.push:
            return (*modes[:-1], mode.back.get(terminal, modes[-1]), mode.push[terminal])
        if terminal in mode.pop:
            return modes[:-1]
        if terminal in mode.switch:
            return (*modes[:-1], mode.switch[terminal])
        return modes

    def check_lines(self) -> None:
        """Check that each symbol either ends a line or does not, and that first characters tell blanks from content."""
        layout = self.compiled.layout
        if layout is None:
            return
        for symbol, lasts in self.edges(-1).items():
            if lasts & self.arranged and lasts - self.arranged - {self.compiled.end}:
                ending, other = min(lasts & self.arranged), min(lasts - self.arranged)
                raise GrammarError(
                    f"{self.place(symbol)} may end with {self.show(ending)} or with {self.show(other)}; "
                    "split it, so that it is known whether a line begins after it."
                )
        mode = self.compiled.modes[layout.mode]
        blank = mode.ignored | {layout.newline}
        scanner = self.lexer.scanners[mode.automaton]
        for state in {target for target in scanner.automaton.rows[START] if target >= 0}:
            kinds = scanner.becomes(state)
            if kinds & blank and kinds - blank:
                raise GrammarError(
                    f"{self.place(min(kinds & blank))} begins like {self.show(min(kinds - blank))}; "
                    "the first character of a line must tell whether the line has content."
                )

    def edges(self, index: int) -> dict[int, set[int]]:
        """Return for each symbol the terminals with which its texts may begin (index 0) or end (index -1)."""
        found: dict[int, set[int]] = {symbol: {symbol} for symbol in range(self.count)}
        for left in self.by_left:
            found[left] = set()
        grew = True
        while grew:
            grew = False
            for left, rights in self.by_left.items():
                for right in rights:
                    if not found[right[index]] <= found[left]:
                        found[left] |= found[right[index]]
                        grew = True
        return found

    def check_neighbours(self) -> None:
        """Check that two terminals that the grammar puts side by side can be written side by side.

        A terminal beside itself passes: two of them that run together are one.
        """
        firsts, lasts = self.edges(0), self.edges(-1)
        adjacency = Adjacency(self.lexer)
        allowed: dict[int, set[int] | None] = {}
        skipped = self.arranged | {self.compiled.end}
        for left, rights in self.by_left.items():
            for right in rights:
                for one, other in pairwise(right):
                    for before in lasts[one] - skipped:
                        if before not in allowed:
                            allowed[before] = self.allowed_after(before, adjacency)
                        known = allowed[before]
                        wrong = set() if known is None else firsts[other] - skipped - known - {before}
                        if wrong:
                            raise GrammarError(
                                f"{self.place(left)} puts {self.show(before)} before {self.show(min(wrong))}, "
                                "which cannot be written so: the first goes on into the second, and nothing is ignored "
                                "between them."
                            )

    def allowed_after(self, terminal: int, adjacency: Adjacency) -> set[int] | None:
        """Return the terminals that can be written after a terminal in some mode; None stands for all."""
        found: set[int] = set()
        for number, mode in enumerate(self.compiled.modes):
            if terminal in mode.ignored or terminal not in self.lexer.scanners[mode.automaton].becomes(START):
                continue
            after = adjacency.after(self.lexer.modes.push((number,), NOTHING), START, terminal, blank=False)
            ways = self.lexer.modes.transitions(self.lexer.modes.push((number,), NOTHING), terminal)
            if after is None or len(ways) != 1 or terminal in mode.pop:
                return None
            found |= after
        return found
