"""A language as one context-free grammar over characters, for engines that know neither modes nor layout.

Each symbol is written out for the depth of blocks around it (up to `DEEPEST`, of four blanks each), and each
terminal brings along what is ignored after it in the mode that it leads to. So the text is the same language, less
deeper or otherwise indented blocks, and less the terminals of modes other than the first and its brackets: f-strings
are read as plain ones. It is more in one respect: where such an engine does not rank terminals, keywords are names.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from dovetail.automata.patterns import Alternation, Characters, Pattern, Repetition, Sequence, text_pattern
from dovetail.grammar.library import find_grammar
from dovetail.grammar.reading import read_grammar

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail import Language

DEEPEST = 6
_BLANKS = 4
_PREFIX = Repetition(Characters(((70, 70), (102, 102))), 0, 1)  # f, of strings


class Symbol(NamedTuple):
    """A rule of the flat grammar: a symbol at a place."""

    number: int
    depth: int
    begins: bool
    """True if it begins a line."""
    mode: int


class Flat:
    """The flat grammar of a language."""

    def __init__(self, language: Language) -> None:
        compiled = language.machine.compiled
        self.grammar = language.machine.suffix_grammar
        self.names = compiled.productions.names
        self.terminals = compiled.productions.terminal_count
        self.modes = compiled.modes
        self.layout = compiled.layout
        text = read_grammar(find_grammar(language.name), "file")
        self.patterns = {terminal.name: terminal.pattern for terminal in text.terminals}
        self.words: dict[str, Pattern] = {}  # name → pattern
        self.rules: dict[str, list[tuple[str, ...]]] = {}
        self.kept = {0} | {mode for mode in self.modes[0].push.values() if self.modes[mode].automaton == 0}
        self._lines = self._with_lines()
        whole = self.grammar.lefts[0]
        self.start = self._name(Symbol(whole, 0, True, 0))
        self._expand(Symbol(whole, 0, True, 0))
        self._prune()

    def _with_lines(self) -> set[int]:
        """Return the symbols that hold a terminal of layout."""
        layout = self.layout
        found = {layout.newline, layout.indent, layout.dedent} if layout else set()
        grew = True
        while grew:
            holders = {
                left
                for left, right in zip(self.grammar.lefts, self.grammar.rights, strict=True)
                if not found.isdisjoint(right)
            }
            grew = not holders <= found
            found |= holders
        return found

    @staticmethod
    def _name(symbol: Symbol) -> str:
        return f"r{symbol.number}_{symbol.depth}_{int(symbol.begins)}_{symbol.mode}"

    def _expand(self, start: Symbol) -> None:
        by_left: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for left, right in zip(self.grammar.lefts, self.grammar.rights, strict=True):
            by_left[left].append(right)
        work = [start]
        while work:
            symbol = work.pop()
            name = self._name(symbol)
            if name in self.rules:
                continue
            self.rules[name] = []
            for right in by_left[symbol.number]:
                alternative = self._alternative(symbol, right, work)
                if alternative is not None:
                    self.rules[name].append(alternative)

    def _alternative(self, symbol: Symbol, right: tuple[int, ...], work: list[Symbol]) -> tuple[str, ...] | None:
        _, depth, begins, mode = symbol
        outer = [mode]
        items: list[str] = []
        layout = self.layout
        for part in right:
            if layout is not None and part in (layout.indent, layout.dedent):
                depth += 1 if part == layout.indent else -1
                begins = True
                if depth > DEEPEST:
                    return None
                continue
            if part == self.grammar.end:
                continue
            ends_line = self.grammar.ends_line[part]
            if part >= self.terminals and part in self._lines:
                inner = Symbol(part, depth, begins, outer[-1])
            else:
                if begins and layout is not None and not ends_line:
                    items.append(self._indentation(depth))
                inner = Symbol(part, 0, False, outer[-1])
            if part >= self.terminals:
                work.append(inner)
                items.append(self._name(inner))
            else:
                known = self.modes[outer[-1]]
                if part not in known.terminals or known.push.get(part, 0) not in self.kept or part in known.switch:
                    return None
                if part in known.push:
                    outer.append(known.push[part])
                elif part in known.pop:
                    outer = outer[:-1] or [0]
                items.append(self._word(part, outer[-1]))
            begins = ends_line
        return tuple(items)

    def _ignored(self, mode: int) -> Pattern:
        return Alternation(tuple(self.patterns[self.names[terminal]] for terminal in sorted(self.modes[mode].ignored)))

    def _word(self, terminal: int, mode: int) -> str:
        name = f"T{terminal}_{mode}"
        if name not in self.words:
            pattern = self.patterns[self.names[terminal]]
            if self.names[terminal] == "STRING" and self.layout is not None:
                pattern = Sequence((_PREFIX, pattern))
            is_newline = self.layout is not None and terminal == self.layout.newline
            after = () if is_newline else (Repetition(self._ignored(mode), 0, None),)
            self.words[name] = Sequence((pattern, *after))
        return name

    def _indentation(self, depth: int) -> str:
        """Return what stands before a line of a depth, empty lines included."""
        assert self.layout is not None
        newline = self.patterns[self.names[self.layout.newline]]
        empty = Sequence((Repetition(self._ignored(0), 0, None), newline))
        if depth:
            blanks = text_pattern(" " * (_BLANKS * depth))
            self.words[f"LINE_{depth}"] = Sequence((Repetition(empty, 0, None), blanks))
            return f"LINE_{depth}"
        self.words["EMPTY"] = Repetition(empty, 1, None)
        self.rules["line_0"] = [("EMPTY",), ()]
        return "line_0"

    def _prune(self) -> None:
        """Leave out the rules that no text can come of."""
        productive = set(self.words)
        grew = True
        while grew:
            more = {
                name
                for name, alternatives in self.rules.items()
                if name not in productive and any(productive.issuperset(items) for items in alternatives)
            }
            productive |= more
            grew = bool(more)
        self.rules = {
            name: [items for items in alternatives if productive.issuperset(items)]
            for name, alternatives in self.rules.items()
            if name in productive
        }

    def lark(self) -> str:
        """Return the grammar in the dialect of Lark that llguidance reads."""
        lines = [f"start: {self.start}"]
        lines += [f"{name}: {' | '.join(' '.join(items) for items in rule)}" for name, rule in self.rules.items()]
        lines += [f"{name}: /{_written(word, _REGULAR)}/" for name, word in self.words.items()]
        return "\n".join(lines) + "\n"

    def ebnf(self) -> str:
        """Return the grammar in the notation that xgrammar reads."""
        lines = [f"root ::= {self.start}"]
        nothing = '""'
        for name, rule in self.rules.items():
            lines.append(f"{name} ::= {' | '.join(' '.join(items) or nothing for items in rule)}")
        lines += [f"{name} ::= {_written(word, _EBNF)}" for name, word in self.words.items()]
        return "\n".join(lines) + "\n"


class _Dialect(NamedTuple):
    """A way to write a pattern."""

    then: str
    beside: str
    escape: Callable[[str], str]
    """A character of a set that is neither letter nor digit."""


_REGULAR = _Dialect("", "|", lambda character: f"\\{character}" if character in "\\]^[-&~/" else _readable(character))
_EBNF = _Dialect(" ", " | ", lambda character: f"\\u{ord(character):04x}")


def _readable(character: str) -> str:
    return character if character.isprintable() else f"\\x{ord(character):02x}"


def _written(pattern: Pattern, dialect: _Dialect) -> str:
    """Return a pattern as a regular expression, or as a right side of EBNF."""
    match pattern:
        case Characters(ranges):
            kept = [(first, min(last, 0x7F)) for first, last in ranges if first < 0x80]
            if ranges and ranges[-1][1] >= 0x80:
                kept.append((0x80, 0x10FFFF))  # one piece: which of them are letters is left open
            pieces = [
                _character(first, dialect) + (f"-{_character(last, dialect)}" if last > first else "")
                for first, last in kept
            ]
            return f"[{''.join(pieces)}]"
        case Sequence(parts):
            written = dialect.then.join(_written(part, dialect) for part in parts)
            return f"({written})" if parts or not dialect.then else '""'
        case Alternation(parts):
            return f"({dialect.beside.join(_written(part, dialect) for part in parts)})"
        case Repetition(part, least, most):
            times = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((least, most))
            times = times or f"{{{least},{'' if most is None else most}}}"
            return f"({_written(part, dialect)}){times}"


def _character(code: int, dialect: _Dialect) -> str:
    character = chr(code)
    return character if code >= 0x80 or character.isalnum() else dialect.escape(character)
