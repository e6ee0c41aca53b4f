"""`dovetail grammar`: what a grammar comes to, for its author: sizes, conflicts, hidden terminals, random texts.

With an oracle it also compares the language with its real parser (`grammar_oracle.py`).
"""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

from rich.console import Console

from dovetail.closing.derivation import Derivations
from dovetail.commands.grammar_oracle import add_oracle_arguments, compare
from dovetail.engine.language import load_language
from dovetail.grammar.conflicts import find_conflicts, show_item, show_symbol
from dovetail.grammar.hiding import find_hiding
from dovetail.grammar.layers import read_layers
from dovetail.grammar.library import find_grammar
from dovetail.grammar.reading import read_grammar

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from dovetail import Language
    from dovetail.grammar.conflicts import Conflict

EPILOG = """\
examples:
  dovetail grammar python                                    sizes, conflicts and hidden terminals
  dovetail grammar mine.lark --conflicts 100                 of a grammar of your own
  dovetail grammar mine.lark --derive 20 --size 40 --seed 3  random texts of the language
  dovetail grammar mine.lark --oracle ./worker --corpus src  where it and the real parser disagree

exit codes:
  0  the grammar is right
  1  the grammar and the language's real parser disagree (--oracle)
  2  the grammar or the command is wrong
"""

_TRIES = 20  # for one random text: some terminals that are drawn cannot be written side by side
_SHOWN = 8  # terminals of a conflict, and winners over a terminal, that are listed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a grammar (.lark), or the name of a language that is known")
    parser.add_argument("--target", metavar="VERSION", help="the version of the language; the newest by default")
    parser.add_argument(
        "--derive",
        type=int,
        metavar="N",
        help="print N random texts of the language instead; with --oracle: judge so many (2000)",
    )
    parser.add_argument("--size", type=int, default=30, metavar="N", help="terminals of a random text, about (30)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed gives other texts (0)")
    parser.add_argument("--conflicts", type=int, default=20, metavar="N", help="how many conflicts to show (20)")
    add_oracle_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the report, random texts or a comparison; return 1 if the oracle disagrees.

    Raises GrammarError for a grammar that is wrong, CommandError for an oracle that does not answer.
    """
    if arguments.oracle is not None:
        return compare(arguments, Console(highlight=False, markup=False, soft_wrap=True))
    before = time.perf_counter()
    language = load_language(arguments.file, target=arguments.target)
    first = time.perf_counter() - before
    console = Console(highlight=False, markup=False, soft_wrap=True)
    machine = language.machine
    derivations = Derivations(machine.compiled, machine.spelling, machine.yields, Random(arguments.seed))
    if arguments.derive is not None:
        for text in derive(language, derivations, arguments.derive, arguments.size):
            console.print(text.rstrip("\n"), end="\n\n")
        return 0
    before = time.perf_counter()
    load_language(arguments.file, target=arguments.target)
    again = time.perf_counter() - before
    _print_sizes(console, language)
    console.print(f"loading: {first * 1000:.0f} ms the first time, {again * 1000:.0f} ms from the cache")
    _print_conflicts(console, language, derivations, arguments.conflicts)
    _print_hiding(console, language, find_grammar(arguments.file))
    return 0


def derive(language: Language, derivations: Derivations, count: int, size: int) -> list[str]:
    """Return random texts; fewer than `count` if the terminals drawn cannot be written side by side too often."""
    found = []
    for _ in range(count * _TRIES):
        text = derivations.text(size)
        # What is written may be read as other terminals, where a longer lexeme or one of higher rank begins alike.
        if text is not None and language.accepts(text):
            found.append(text)
            if len(found) >= count:
                break
    return found


def _print_sizes(console: Console, language: Language) -> None:
    compiled = language.machine.compiled
    productions, tables = compiled.productions, compiled.tables
    cells = [actions for row in tables.actions.every() for actions in row.values()]
    several = sum(len(actions) > 1 for actions in cells)
    states = sum(len(automaton.rows) for automaton in compiled.automata)
    console.print(f"{compiled.name}{f' {language.target}' if language.target else ''}")
    console.print(
        f"grammar: {len(productions.rights):,} productions of {len(productions.names) - productions.terminal_count:,} "
        f"symbols, {productions.terminal_count:,} terminals"
    )
    console.print(f"tables: {len(tables.actions):,} states, {len(cells):,} cells, {several:,} with several actions")
    console.print(f"lexer: {len(compiled.modes):,} modes, {len(compiled.automata):,} automata of {states:,} states")


def _print_conflicts(console: Console, language: Language, derivations: Derivations, most: int) -> None:
    machine = language.machine
    costs = [ways[0].fixed if ways else 1 for ways in machine.yields.of]
    conflicts = find_conflicts(machine.compiled, costs)
    console.print(f"conflicts: {len(conflicts):,}; all actions are kept, so they cost time and nothing else")
    for conflict in conflicts[:most]:
        shown = [show_symbol(machine.compiled, terminal) for terminal in conflict.terminals]
        more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
        console.print(f"\nstate {conflict.state}, before {', '.join(shown[:_SHOWN])}{more}")
        for item in conflict.items:
            console.print(f"    {show_item(machine.compiled, item)}")
        example = _example(language, derivations, conflict)
        if example is not None:
            console.print(f"    after {example!r}")
    if len(conflicts) > most:
        console.print(f"\n… and {len(conflicts) - most:,} more (--conflicts)")


def _example(language: Language, derivations: Derivations, conflict: Conflict) -> str | None:
    """Return the shortest text that leads to a conflict, or None if its terminals cannot be written so."""
    yields = language.machine.yields.of
    return derivations.spell([t for symbol in conflict.symbols for t in yields[symbol][0].terminals], plain=True)


def _print_hiding(console: Console, language: Language, path: Path) -> None:
    layers = read_layers(path.with_suffix(".toml"))
    grammar = read_grammar(path, layers.header.get("start", "start"), layers)
    patterns = {terminal.name: terminal.pattern for terminal in grammar.terminals}
    winners: dict[str, list[str]] = {}
    for hidden, winner, text in find_hiding(language.machine.compiled, patterns):
        winners.setdefault(hidden, []).append(f"{winner} ({text!r})")
    console.print("\nterminals that others hide in part, and a text that is read as the other:" if winners else "")
    for hidden, others in winners.items():
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        console.print(f"    {hidden}: {', '.join(others[:_SHOWN])}{more}")
