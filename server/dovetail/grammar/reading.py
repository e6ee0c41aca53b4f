"""From the text of a grammar file to rules and terminals, by Lark's own loader. Nothing else imports Lark."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

from lark.exceptions import GrammarError as LarkGrammarError
from lark.exceptions import LarkError
from lark.lexer import PatternStr
from lark.load_grammar import GrammarBuilder

from dovetail.automata.patterns import Pattern, PatternError, parse_pattern, text_pattern
from dovetail.grammar.errors import GrammarError, GrammarWarning

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from dovetail.grammar.layers import Layers

_VERSION = r"\d+(?:_\d+)*|[a-z]+"
_VERSIONED = re.compile(rf"(?:since_(?P<since>{_VERSION}))?_?(?:before_(?P<before>{_VERSION}))?")
_DEFINITION = re.compile(
    r"^(?:%override[ \t]+|(?P<extended>%extend[ \t]+))?[?!]*(?P<name>\w+)(?:\{[^}]*\})?(?:\.-?\d+)?[ \t]*:",
    re.MULTILINE,
)
_MOST_ALTERNATIVES = 10_000  # of one rule, once its options are written out; Python's largest rule has some dozens
_WRITTEN_OUT = 50  # repetitions of fewer are written out by Lark, of more made of rules
_LOST_BACKSLASH = re.compile(r'(?<!\\)(?:\\\\)+"')
_MANY = "*"  # Lark: keep terminals that no rule uses; modes, layout and errors name them


@dataclass(frozen=True, slots=True)
class Rule:
    """One alternative of a rule, in which symbols have names; the right side may be empty."""

    left: str
    right: tuple[str, ...]
    since: str | None
    """The first version of the language that has it."""
    before: str | None
    """The first version that has it no more."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal: its pattern, and its priority among matches of equal length."""

    name: str
    pattern: Pattern
    literal: str | None
    """Its text, if it is a string; None for a regular expression."""
    priority: int


@dataclass(frozen=True, slots=True)
class GrammarText:
    """The rules and terminals of a grammar file."""

    path: Path
    rules: tuple[Rule, ...]
    terminals: tuple[Terminal, ...]
    """In the order of rank: of two that match the same text, the first wins."""
    ignored: frozenset[str]
    places: dict[str, str]
    """Rule or terminal → the file and line that define it."""
    imported: tuple[str, ...] = ()
    """The files that the grammar takes parts from by `%import`; those of Lark itself are not among them."""
    helpers: frozenset[str] = frozenset()
    """Terminals that other terminals are made of and that no rule uses; a mode knows one only if it names it."""

    def place(self, name: str) -> str:
        """Return the file, line and name of a rule or terminal, for messages."""
        origin = name.removeprefix("_").split("{")[0]
        generated = re.fullmatch(r"_*(.+?)_(?:star|plus|opt)_\d+", name)
        for known in (name, origin, generated.group(1).split("{")[0] if generated else ""):
            if known in self.places:
                return f"{self.places[known]}: `{known}`"
        return f"{self.path}: `{name}`"


def read_grammar(path: Path, start: str, layers: Layers | None = None) -> GrammarText:
    """Return the rules and terminals of a grammar file, and of those that it is built upon (`layers`).

    Raises GrammarError where a file is not in the dialect.
    """
    builder = GrammarBuilder(False, [])
    places: dict[str, str] = {}
    for file in (path,) if layers is None else layers.grammars:
        _load(builder, file, places)
    try:
        grammar = builder.build()
        _check_alternatives(path, grammar)
        terminals, rules, ignored = grammar.compile([start], _MANY)
    except (LarkGrammarError, LarkError) as error:
        raise GrammarError(f"{path}: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise GrammarError(f"{path}: groups are nested too deeply; give parts rules of their own.") from None
    except KeyError:
        raise GrammarError(
            f"{path}: the start rule `{start}` is not defined; define it, or name another by `start`."
        ) from None
    if not any(rule.origin.name == start for rule in rules):
        raise GrammarError(f"{path}: the start rule `{start}` is not defined; define it, or name another by `start`.")
    _warn_of_lost_backslashes(grammar, places)
    ranked = sorted(enumerate(terminals), key=lambda pair: (-pair[1].priority, not _is_text(pair[1]), pair[0]))
    return GrammarText(
        path=path,
        rules=_settled(map(_rule, rules), frozenset() if layers is None else layers.settled),
        terminals=tuple(_terminal(path, definition) for _, definition in ranked),
        ignored=frozenset(map(str, ignored)),
        places=places,
        helpers=_helpers(grammar, rules, ignored),
        imported=tuple(sorted(file for file in builder.used_files if isinstance(file, str))),
    )


def _load(builder: Any, path: Path, places: dict[str, str]) -> None:
    """Add a file to a grammar, and the places of its rules and terminals to `places`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GrammarError(f"{path}: the grammar cannot be read: {error}.") from None
    try:
        builder.load_grammar(text, str(path))
    except (LarkGrammarError, LarkError) as error:
        raise GrammarError(f"{path}: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise GrammarError(f"{path}: groups are nested too deeply; give parts rules of their own.") from None
    for match in _DEFINITION.finditer(text):
        if match.group("extended") is None or match.group("name") not in places:
            places[match.group("name")] = f"{path}:{text.count(chr(10), 0, match.start()) + 1}"


def _settled(rules: Iterable[Rule], versions: frozenset[str]) -> tuple[Rule, ...]:
    """Return the rules without those versions: what came with one is there, what went with one is not."""
    return tuple(
        replace(rule, since=None) if rule.since in versions else rule for rule in rules if rule.before not in versions
    )


def _check_alternatives(path: Path, grammar: Any) -> None:
    """Raise GrammarError for a rule that Lark would expand into more alternatives than fit into memory."""
    for name, _, tree, _ in grammar.rule_defs:
        ways: dict[int, int] = {}  # part of the rule, by its identity → how many alternatives it becomes
        for part in tree.iter_subtrees():
            inner = [ways.get(id(child), 1) for child in part.children]
            if part.data == "expansions":
                count = sum(inner)
            elif part.data == "maybe" or (part.data == "expr" and part.children[1] in ("?", "*")):
                count = inner[0] + 1
            elif part.data == "expr" and part.children[1] == "~":
                low, high = int(part.children[2]), int(part.children[-1])
                written = range(low, high + 1) if high < _WRITTEN_OUT else ()
                count = sum(inner[0] ** times for times in written) or 1
            else:
                count = prod(inner)
            ways[id(part)] = min(count, 2 * _MOST_ALTERNATIVES)
        if ways[id(tree)] > _MOST_ALTERNATIVES:
            raise GrammarError(
                f"{path}: `{name}` has more than {_MOST_ALTERNATIVES:,} alternatives once its options are written out; "
                f"give parts rules of their own."
            )


def _helpers(grammar: Any, rules: Any, ignored: Any) -> frozenset[str]:
    """Return the terminals that are part of another terminal and that no rule uses."""
    used = {str(symbol.name) for rule in rules for symbol in rule.expansion} | set(map(str, ignored))
    # Lark has put the tree of a terminal into each terminal that names it: the same object, not a copy.
    names = {id(tree): str(name) for name, (tree, _) in grammar.term_defs if tree is not None}
    parts = {
        names[id(part)]
        for _, (tree, _) in grammar.term_defs
        if tree is not None
        for part in tree.iter_subtrees()
        if part is not tree and id(part) in names
    }
    return frozenset(parts - used)


def _warn_of_lost_backslashes(grammar: Any, places: dict[str, str]) -> None:
    """Warn of a backslash before a quote in a pattern, which Lark's loader takes away with the backslash before it."""
    trees = [(str(name), tree) for name, (tree, _) in grammar.term_defs if tree is not None]
    trees += [(str(name), tree) for name, _, tree, _ in grammar.rule_defs]
    for name, tree in trees:
        for token in tree.scan_values(lambda value: getattr(value, "type", None) == "REGEXP"):
            if name in places and _LOST_BACKSLASH.search(token) is not None:
                warnings.warn(
                    f'{places[name]}: `{name}`: `\\\\"` in a pattern is read as a bare quote, without the '
                    f'backslash; write `\\\\["]`, or put the quote first in a class: `["\\\\]`.',
                    GrammarWarning,
                    stacklevel=2,
                )


def _is_text(definition: Any) -> bool:
    return isinstance(definition.pattern, PatternStr) and not definition.pattern.flags


def _terminal(path: Path, definition: Any) -> Terminal:
    if _is_text(definition):
        text = definition.pattern.value
        return Terminal(str(definition.name), text_pattern(text), text, definition.priority)
    try:
        pattern = parse_pattern(definition.pattern.to_regexp())
    except PatternError as error:
        raise GrammarError(f"{path}: terminal `{definition.name}`: {error}.") from None
    return Terminal(str(definition.name), pattern, None, definition.priority)


def _rule(rule: Any) -> Rule:
    match = _VERSIONED.fullmatch(rule.alias or "")
    since, before = match.group("since", "before") if match else (None, None)
    return Rule(
        left=str(rule.origin.name),
        right=tuple(str(symbol.name) for symbol in rule.expansion),
        since=since.replace("_", ".") if since else None,
        before=before.replace("_", ".") if before else None,
    )
