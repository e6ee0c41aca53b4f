"""The compiled language: LR tables, automata and modes, all of them ints, in a form that the disk cache can hold."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from dovetail.automata import characters
from dovetail.automata.dfa import build_automaton
from dovetail.automata.patterns import PatternError
from dovetail.grammar.errors import GrammarError
from dovetail.grammar.habits import NO_HABITS, Habits, habits_of
from dovetail.grammar.likeness import groups
from dovetail.grammar.mistakes import NO_MISTAKES, Mistakes, mistakes_of
from dovetail.grammar.mode import Mode
from dovetail.grammar.productions import Productions, in_version, number_productions
from dovetail.grammar.stored_automata import StoredAutomata, packed
from dovetail.grammar.stored_rows import StoredRows
from dovetail.grammar.tables import NO_TABLES, Tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dovetail.automata.characters import Ranges
    from dovetail.automata.dfa import Automaton
    from dovetail.automata.patterns import Pattern
    from dovetail.grammar.description import Description
    from dovetail.grammar.mode_text import ModeText
    from dovetail.grammar.reading import GrammarText


_MOST_TERMINALS = 1_000  # Python has some two hundred; what is checked of them grows with the square


@dataclass(frozen=True, slots=True)
class Layout:
    """The terminals and numbers of layout; -1 stands for a terminal that the language does not have."""

    mode: int
    newline: int
    indent: int
    dedent: int
    blanks: int
    continuation: int
    tab: int
    deepest: int
    """Blocks that may be open at a time; 0 for any number."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """Everything that the engine knows of a language; terminals are the symbols with the lowest numbers."""

    name: str
    productions: Productions
    tables: Tables
    automata: Sequence[Automaton]
    modes: list[Mode]
    layout: Layout | None
    errors: frozenset[int]
    """Terminals that no text of the language contains; where one is the longest match, the text is refused."""
    literals: list[str | None]
    """Terminal → its text, if it has only one."""
    deepest: int
    """Modes that may be open inside the first one at a time; 0 for any number."""
    comment: str | None
    """The sign that begins a comment that goes to the end of its line, or None."""
    phrases: list[tuple[str, tuple[int, ...]]]
    """Words for sets of terminals in messages, the largest set first."""
    documentation: str | None
    imports: str | None
    declarations: str | None
    """Regular expressions; see `Facts`."""
    blocks: tuple[str, ...] = ()
    """The rules for the lines of a block; of a template, the part before its arguments."""
    labels: tuple[str, ...] = ()
    """Texts that begin a line one level further out than the lines after it."""
    header_ends: tuple[str, ...] = ()
    """Texts that end a line whose brackets are closed and which may be a header, some of them with an empty block."""
    brace_ends: tuple[str, ...] = ()
    """Texts that may be missing behind the brace that ends a block, as the call behind that of a function."""
    brackets: tuple[tuple[int, int], ...] = ()
    """Terminals that the description names as brackets, each with 1 for an opener and -1 for a closer."""
    mistakes: Mistakes = NO_MISTAKES
    habits: Habits = NO_HABITS

    @property
    def end(self) -> int:
        """The terminal that stands for the end of the text."""
        return self.productions.terminal_count - 1


def compile_language(name: str, grammar: GrammarText, description: Description, target: str | None) -> Compiled:
    """Return one version of a language (`target`; None: the newest); raise GrammarError where the grammar is wrong.

    It has no tables: those of most languages are of another grammar, which `grammar.specialisation` makes of this one.
    """
    since, before = description.since or {}, description.before or {}
    versions = description.versions
    present = [
        terminal
        for terminal in grammar.terminals
        if in_version(since.get(terminal.name), before.get(terminal.name), versions, target)
    ]
    if len(present) > _MOST_TERMINALS:
        raise GrammarError(
            f"{grammar.path}: {len(present):,} terminals are too many: at most {_MOST_TERMINALS:,} are allowed, "
            "because every pair of them is compared. Give all words of one kind one pattern."
        )
    layout = description.layout
    names = [terminal.name for terminal in present]
    if layout is not None:
        names += [layout.indent, layout.dedent]
    productions = number_productions(grammar, description.start, names, versions, target)
    number = {name: index for index, name in enumerate(names)}
    patterns = {number[terminal.name]: terminal.pattern for terminal in present}
    alphabet = characters.complement(
        characters.union(*(characters.literal(character) for character in description.forbidden))
    )
    used_modes = _reached_modes(description, number)
    mode_number = {mode.name: index for index, mode in enumerate(used_modes)}
    modes = [
        Mode(
            name=mode.name,
            automaton=-1,
            terminals=frozenset(number[known] for known in mode.terminals if known in number),
            ignored=frozenset(number[known] for known in mode.ignored if known in number),
            push=_targets(mode, mode.push, number, mode_number),
            pop=frozenset(number[known] for known in mode.pop if known in number),
            switch=_targets(mode, mode.switch, number, mode_number),
            back=_targets(mode, mode.back, number, mode_number),
            apart=frozenset(mode_number[name] for name in mode.apart if name in mode_number),
        )
        for mode in used_modes
    ]
    numbers = groups(modes, -1 if layout is None else mode_number[layout.mode])
    modes = [replace(mode, automaton=automaton) for mode, automaton in zip(modes, numbers, strict=True)]
    made: dict[frozenset[int], Automaton] = {}
    for mode in modes:
        if mode.terminals not in made:
            known = {own: pattern for own, pattern in patterns.items() if own in mode.terminals}
            made[mode.terminals] = _automaton(grammar, known, alphabet, names)
    automata = [made[modes[numbers.index(automaton)].terminals] for automaton in range(max(numbers) + 1)]
    literal = {terminal.name: terminal.literal for terminal in present}
    return Compiled(
        name=name,
        productions=productions,
        tables=NO_TABLES,
        automata=automata,
        modes=modes,
        layout=None
        if layout is None
        else Layout(
            mode=mode_number[layout.mode],
            newline=number[layout.newline],
            indent=number[layout.indent],
            dedent=number[layout.dedent],
            blanks=number.get(layout.blanks or "", -1),
            continuation=number.get(layout.continuation or "", -1),
            tab=layout.tab,
            deepest=layout.deepest,
        ),
        errors=frozenset(number[error] for error in description.errors if error in number),
        literals=[literal.get(known) for known in names],
        deepest=description.deepest,
        comment=description.comment,
        phrases=_phrases(description.phrases, productions, number),
        documentation=description.documentation,
        imports=description.imports,
        declarations=description.declarations,
        blocks=tuple(sorted(description.blocks)),
        labels=description.labels,
        header_ends=description.header_ends,
        brace_ends=description.brace_ends,
        brackets=_brackets(description.brackets, number),
        mistakes=description.mistakes,
        habits=description.habits,
    )


def _brackets(described: Mapping[str, str], terminals: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    """Return the terminals of this version that open brackets, with 1, and those that close them, with -1."""
    known = {opener: closer for opener, closer in described.items() if opener in terminals and closer in terminals}
    signs = {terminals[opener]: 1 for opener in known} | {terminals[closer]: -1 for closer in known.values()}
    return tuple(sorted(signs.items()))


def _phrases(
    described: Mapping[str, frozenset[str]], productions: Productions, terminals: Mapping[str, int]
) -> list[tuple[str, tuple[int, ...]]]:
    """Return each phrase with its terminals: those that it names, and those that a rule that it names may begin with.

    Names that this version does not have are left out.
    """
    beginnings = productions.beginnings()
    symbols = {**{name: number for number, name in enumerate(productions.names)}, **terminals}
    found = []
    for phrase, names in described.items():
        covered = {terminal for name in names if name in symbols for terminal in beginnings[symbols[name]]}
        found.append((phrase, tuple(sorted(covered))))
    return sorted(found, key=lambda entry: (-len(entry[1]), entry[0]))


def _automaton(grammar: GrammarText, patterns: Mapping[int, Pattern], alphabet: Ranges, names: list[str]) -> Automaton:
    try:
        return build_automaton(patterns, alphabet)
    except PatternError:
        pass
    for terminal, pattern in patterns.items():
        try:
            build_automaton({terminal: pattern}, alphabet)
        except PatternError as error:
            raise GrammarError(f"{grammar.place(names[terminal])}: {error}.") from None
    raise GrammarError(f"{grammar.path}: the terminals of a mode together need too many states; give the mode fewer.")


def _targets(
    mode: ModeText, described: Mapping[str, str], terminals: Mapping[str, int], modes: Mapping[str, int]
) -> dict[int, int]:
    """Return terminal → mode, for the terminals that the mode reads in this version."""
    return {
        terminals[known]: modes[target]
        for known, target in described.items()
        if known in terminals and known in mode.terminals
    }


def _reached_modes(description: Description, known: Mapping[str, int]) -> list[ModeText]:
    """Return the modes that a text of this version can reach from the first one."""
    by_name = {mode.name: mode for mode in description.modes}
    # The first mode may be there for the first line alone.
    first = 0 if description.first_line is None or description.first_line in known else 1
    reached = {description.modes[first].name}
    work = list(reached)
    while work:
        mode = by_name[work.pop()]
        for leading, target in (*mode.push.items(), *mode.switch.items(), *mode.back.items()):
            if leading in known and leading in mode.terminals and target not in reached:
                reached.add(target)
                work.append(target)
    return [mode for mode in description.modes if mode.name in reached]


def to_plain(compiled: Compiled) -> dict[str, Any]:
    """Return the language as plain values: dicts, lists, tuples, strings, ints and None."""
    tables, productions = compiled.tables, compiled.productions
    stored: tuple[StoredRows[Any], ...] = (tables.actions, tables.gotos, tables.sources, tables.kernels)
    return {
        "name": compiled.name,
        "productions": (productions.names, productions.terminal_count, productions.lefts, productions.rights),
        "tables": (*(rows.texts for rows in stored), tables.entering),
        "automata": packed(compiled.automata),
        "modes": [
            (
                mode.name,
                mode.automaton,
                sorted(mode.terminals),
                sorted(mode.ignored),
                dict(mode.push),
                sorted(mode.pop),
                dict(mode.switch),
                dict(mode.back),
                sorted(mode.apart),
            )
            for mode in compiled.modes
        ],
        "layout": asdict(compiled.layout) if compiled.layout else None,
        "errors": sorted(compiled.errors),
        "literals": compiled.literals,
        "deepest": compiled.deepest,
        "comment": compiled.comment,
        "phrases": compiled.phrases,
        "documentation": compiled.documentation,
        "imports": compiled.imports,
        "declarations": compiled.declarations,
        "blocks": compiled.blocks,
        "labels": compiled.labels,
        "header_ends": compiled.header_ends,
        "brace_ends": compiled.brace_ends,
        "brackets": compiled.brackets,
        "mistakes": compiled.mistakes.plain(),
        "habits": compiled.habits.plain(),
    }


def from_plain(data: dict[str, Any]) -> Compiled:
    """Return the language of `to_plain`; raise KeyError, TypeError or ValueError for other values."""
    actions, gotos, sources, kernels, entering = data["tables"]
    return Compiled(
        name=data["name"],
        productions=Productions(*data["productions"]),
        tables=Tables(StoredRows(actions), StoredRows(gotos), StoredRows(sources), StoredRows(kernels), entering),
        automata=StoredAutomata(data["automata"]),
        modes=[
            Mode(
                name,
                automaton,
                frozenset(known),
                frozenset(ignored),
                push,
                frozenset(pop),
                switch,
                back,
                frozenset(apart),
            )
            for name, automaton, known, ignored, push, pop, switch, back, apart in data["modes"]
        ],
        layout=Layout(**data["layout"]) if data["layout"] else None,
        errors=frozenset(data["errors"]),
        literals=data["literals"],
        deepest=data["deepest"],
        comment=data["comment"],
        phrases=data["phrases"],
        documentation=data["documentation"],
        imports=data["imports"],
        declarations=data["declarations"],
        blocks=tuple(data["blocks"]),
        labels=tuple(data["labels"]),
        header_ends=tuple(data["header_ends"]),
        brace_ends=tuple(data["brace_ends"]),
        brackets=tuple((terminal, sign) for terminal, sign in data["brackets"]),
        mistakes=mistakes_of(data["mistakes"]),
        habits=habits_of(data["habits"]),
    )
