"""The lexical description of a language: from `NAME.toml` to modes and layout, in which all things have names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dovetail.grammar.errors import GrammarError
from dovetail.grammar.facts import KEYS, read_facts
from dovetail.grammar.habits import KEYS as HABITS
from dovetail.grammar.habits import NO_HABITS, Habits, read_habits
from dovetail.grammar.mistakes import NO_MISTAKES, Mistakes, read_mistakes
from dovetail.grammar.mode_text import ModeText, copies

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from dovetail.grammar.reading import GrammarText


@dataclass(frozen=True, slots=True)
class LayoutText:
    """The rules of a language in which line ends and columns have a meaning."""

    mode: str
    newline: str
    indent: str
    dedent: str
    blanks: str | None
    continuation: str | None
    tab: int
    deepest: int
    """Blocks that may be open at a time; 0 for any number."""


@dataclass(frozen=True, slots=True)
class Description:
    """A whole lexical description."""

    start: str = "start"
    versions: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    errors: frozenset[str] = frozenset()
    since: Mapping[str, str] | None = None
    before: Mapping[str, str] | None = None
    modes: tuple[ModeText, ...] = ()
    first_line: str | None = None
    """The terminal that the first mode alone ignores, since it may be read only at the beginning of a text, or None."""
    deepest: int = 0
    """Modes that may be open inside the first one at a time; 0 for any number."""
    layout: LayoutText | None = None
    comment: str | None = None
    """The sign that begins a comment that goes to the end of its line, or None."""
    phrases: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Words for people → the rules and terminals that they stand for in a message."""
    documentation: str | None = None
    imports: str | None = None
    declarations: str | None = None
    """Regular expressions; see `Facts`."""
    blocks: frozenset[str] = frozenset()
    """The rules for the lines of a block, in a language without layout."""
    labels: tuple[str, ...] = ()
    """Texts that begin a line one level further out than the lines after it, as `case`."""
    header_ends: tuple[str, ...] = ()
    """Texts that end a line whose brackets are closed and which may be a header, some of them with an empty block."""
    brace_ends: tuple[str, ...] = ()
    """Texts that may be missing behind the brace that ends a block, as the call behind that of a function."""
    brackets: Mapping[str, str] = field(default_factory=dict)
    """Terminals that open brackets → those that close them, where the rules alone do not show it."""
    mistakes: Mistakes = NO_MISTAKES
    habits: Habits = NO_HABITS


def resolve(path: Path, header: Mapping[str, Any], grammar: GrammarText) -> Description:
    """Return the description, each name checked against the grammar; raise GrammarError for an unknown name."""
    return _Resolver(path, header, grammar).description()


class _Resolver:
    def __init__(self, path: Path, header: Mapping[str, Any], grammar: GrammarText) -> None:
        self.path = path
        self.header = header
        self.grammar = grammar
        self.everything: frozenset[str] = frozenset()
        """The terminals of a mode that does not list its own."""
        self.names = {terminal.name for terminal in grammar.terminals}
        self.groups: dict[str, list[str]] = {}
        self.literals = {terminal.literal: terminal.name for terminal in grammar.terminals if terminal.literal}

    def description(self) -> Description:
        known = {
            "start",
            "forbidden",
            "errors",
            "deepest",
            "first_line",
            "since",
            "before",
            "modes",
            "layout",
            "groups",
            "phrases",
            "blocks",
            "labels",
            "header_ends",
            "brace_ends",
            "brackets",
            "mistakes",
            "base",
            *KEYS,
            *HABITS,
        }
        unknown = set(self.header) - known
        if unknown:
            raise GrammarError(f"{self.path}: unknown key `{min(unknown)}`; known are {', '.join(sorted(known))}.")
        for name, members in self.header.get("groups", {}).items():
            if name in self.names or name in self.literals:
                raise GrammarError(f"{self.path}: group `{name}` has the name of a terminal; give it another.")
            self.groups[name] = [member for known in members for member in self.terminals(known)]
        versions = tuple(self.header.get("versions", ()))
        bounds = {
            key: {self.terminal(name): version for name, version in self.header.get(key, {}).items()}
            for key in ("since", "before")
        }
        # Without versions of its own a layer has what its bases dropped in theirs, and no version is asked for.
        layered = not versions and "versions" in self.header
        for version in {version for table in bounds.values() for version in table.values()} - set(versions):
            if layered:
                break
            raise GrammarError(f"{self.path}: version {version} is not among `versions`; add it there.")
        layout = self.layout()
        declared = {layout.indent, layout.dedent} if layout else set()
        errors = self.members(self.header, "errors")
        meant = {layout.newline, layout.blanks, layout.continuation} if layout else set()
        first_line = self.terminal(self.header["first_line"]) if "first_line" in self.header else None
        self.everything = frozenset(self.names - (self.grammar.helpers - errors - meant) - {first_line})
        used = {symbol for rule in self.grammar.rules for symbol in rule.right}
        defined = {rule.left for rule in self.grammar.rules}
        for name in sorted(used - defined - self.names - declared):
            raise GrammarError(f"{self.path}: terminal `{name}` has no pattern and is not part of a layout; define it.")
        for name in sorted(used & errors):
            raise GrammarError(
                f"{self.path}: terminal `{name}` is an error and cannot be in a rule; take it out of one of them."
            )
        facts = read_facts(self.path, self.header)
        modes = self.modes()
        if first_line is not None:
            if layout is not None:
                raise GrammarError(f"{self.path}: `first_line` is for a language without [layout]; make it a comment.")
            modes = (modes[0].before(first_line, modes), *modes)
        return Description(
            start=self.header.get("start", "start"),
            versions=versions,
            forbidden=tuple(self.header.get("forbidden", ())),
            errors=errors,
            since=bounds["since"],
            before=bounds["before"],
            modes=modes,
            first_line=first_line,
            deepest=self.number(self.header, "deepest", 0),
            layout=layout,
            phrases=self.phrases(defined),
            blocks=self.blocks(defined),
            labels=tuple(self.header.get("labels", ())),
            header_ends=tuple(self.header.get("header_ends", ())),
            brace_ends=tuple(self.header.get("brace_ends", ())),
            brackets=self.brackets(),
            mistakes=read_mistakes(self.path, self.header),
            habits=read_habits(self.path, self.header, frozenset(mode.name for mode in modes)),
            comment=facts.comment,
            documentation=facts.documentation,
            imports=facts.imports,
            declarations=facts.declarations,
        )

    def phrases(self, rules: set[str]) -> dict[str, frozenset[str]]:
        """Return phrase → the rules and terminals that it stands for."""
        return {
            phrase: frozenset(
                member for name in members for member in ([name] if name in rules else self.terminals(name))
            )
            for phrase, members in self.header.get("phrases", {}).items()
        }

    def blocks(self, rules: set[str]) -> frozenset[str]:
        """Return the names of the rules for the lines of a block; of a template, the part before its arguments."""
        names = frozenset(self.header.get("blocks", ()))
        for name in sorted(names - {rule.partition("{")[0] for rule in rules}):
            raise GrammarError(f"{self.path}: `blocks` names `{name}`, which is no rule of the grammar; correct it.")
        if names and "layout" in self.header:
            raise GrammarError(f"{self.path}: `blocks` are for a language without [layout], whose columns make blocks.")
        return names

    def brackets(self) -> dict[str, str]:
        """Return opener → closer; raise GrammarError where a rule has one without the other."""
        found = self.targets(self.header.get("brackets", {}))
        found = {opener: self.terminal(closer) for opener, closer in found.items()}
        for closer in sorted(set(found.values())):
            openers = {opener for opener, closed in found.items() if closed == closer}
            for rule in self.grammar.rules:
                own = ["(" if symbol in openers else ")" for symbol in rule.right if symbol in {*openers, closer}]
                if own != ["(", ")"] * (len(own) // 2):
                    shown = next((text for text, name in self.literals.items() if name == closer), closer)
                    raise GrammarError(
                        f"{self.grammar.place(rule.left)} has `{shown}` or what opens it without the other, so they "
                        "are no `brackets`; put both into one rule, or take them out of the description."
                    )
        return found

    def terminal(self, name: str) -> str:
        if name in self.literals:
            return self.literals[name]
        if name not in self.names:
            raise GrammarError(f"{self.path}: unknown terminal `{name}`; the grammar has none of this name or text.")
        return name

    def terminals(self, name: str) -> list[str]:
        """Return the terminals that a name in a list stands for: those of a group, or one."""
        return self.groups[name] if name in self.groups else [self.terminal(name)]

    def number(self, table: Mapping[str, Any], key: str, default: int, least: int = 0) -> int:
        value = table.get(key, default)
        if not isinstance(value, int) or value < least:
            wanted = "not negative" if least == 0 else f"at least {least}"
            raise GrammarError(f"{self.path}: `{key}` is {value!r}; write a whole number, {wanted}.")
        return value

    def layout(self) -> LayoutText | None:
        table = self.header.get("layout")
        if table is None:
            return None
        try:
            return LayoutText(
                mode=table["mode"],
                newline=self.terminal(table["newline"]),
                indent=table["indent"],
                dedent=table["dedent"],
                blanks=self.terminal(table["blanks"]) if "blanks" in table else None,
                continuation=self.terminal(table["continuation"]) if "continuation" in table else None,
                tab=self.number(table, "tab", 8, least=1),
                deepest=self.number(table, "deepest", 0),
            )
        except KeyError as missing:
            raise GrammarError(f"{self.path}: [layout] needs `{missing.args[0]}`.") from None

    def modes(self) -> tuple[ModeText, ...]:
        tables = [copy for table in self.header.get("modes", [{"name": "text"}]) for copy in copies(table)]
        modes: dict[str, ModeText] = {}
        for table in tables:
            if "extend" in table:
                self.extend(table, modes)
                continue
            mode = self.mode(table, modes)
            if mode.name in modes:
                raise GrammarError(
                    f"{self.path}: mode `{mode.name}` is defined twice; give one of them another name, "
                    f"or write `extend` instead of `name` in the later one."
                )
            modes[mode.name] = mode
        for mode in modes.values():
            for target in (*mode.push.values(), *mode.switch.values(), *mode.back.values(), *sorted(mode.apart)):
                if target not in modes:
                    raise GrammarError(
                        f"{self.path}: mode `{mode.name}` leads to the unknown mode `{target}`; add it to [[modes]]."
                    )
        layout = self.header.get("layout")
        if layout is not None and layout.get("mode") != next(iter(modes)):
            # The lexer begins a text with a line in the first mode, and each end of a line leads back to it.
            first = next(iter(modes))
            raise GrammarError(f"{self.path}: `mode` of [layout] is not the first mode; write `{first}` or move it up.")
        return tuple(modes.values())

    def mode(self, table: Mapping[str, Any], earlier: Mapping[str, ModeText]) -> ModeText:
        known = {"name", "terminals", "like", "without", "with", "ignore", "push", "pop", "switch", "back", "apart"}
        if "name" not in table or set(table) - known:
            wrong = min(set(table) - known, default="a mode without `name`")
            raise GrammarError(f"{self.path}: unknown key in [[modes]]: {wrong}.")
        mode = ModeText(table["name"], self.everything, frozenset(), {}, frozenset(), {}, {}, frozenset())
        if "like" in table:
            model = earlier.get(table["like"])
            if model is None:
                raise GrammarError(
                    f"{self.path}: mode `{mode.name}` is like `{table['like']}`, which is not above it; move it up."
                )
            mode = replace(model, name=mode.name)
        terminals = self.members(table, "terminals", mode.terminals)
        ignored = self.members(table, "ignore", mode.ignored)
        terminals = (terminals - self.members(table, "without")) | self.members(table, "with") | ignored
        push = self.targets(table["push"]) if "push" in table else mode.push
        back = self.targets(table["back"]) if "back" in table else mode.back
        for terminal in sorted(set(back) - set(push)) if "back" in table else ():
            raise GrammarError(
                f"{self.path}: `back` of mode `{mode.name}` names `{terminal}`, which opens no mode there; "
                "add it to `push`."
            )
        return ModeText(
            name=mode.name,
            terminals=terminals,
            ignored=(ignored | self.grammar.ignored) & terminals,
            push=push,
            pop=self.members(table, "pop", mode.pop),
            switch=self.targets(table["switch"]) if "switch" in table else mode.switch,
            # A mode that is like another may open fewer modes than that one.
            back={terminal: target for terminal, target in back.items() if terminal in push},
            apart=frozenset(table.get("apart", ())),
        )

    def extend(self, table: Mapping[str, Any], modes: dict[str, ModeText]) -> None:
        """Change earlier modes as a table with `extend` says."""
        known = {"extend", "with", "without", "ignore", "push", "pop", "switch", "back", "apart"}
        if set(table) - known:
            raise GrammarError(f"{self.path}: unknown key in [[modes]] with `extend`: {min(set(table) - known)}.")
        names = [table["extend"]] if isinstance(table["extend"], str) else table["extend"]
        change = ModeText(
            name="",
            terminals=self.members(table, "with"),
            ignored=self.members(table, "ignore"),
            push=self.targets(table.get("push", {})),
            pop=self.members(table, "pop"),
            switch=self.targets(table.get("switch", {})),
            back=self.targets(table.get("back", {})),
            apart=frozenset(table.get("apart", ())),
        )
        for name in names:
            if name not in modes:
                raise GrammarError(f"{self.path}: `extend` names the mode `{name}`, which is not above it; correct it.")
            modes[name] = modes[name].changed(change, self.members(table, "without"))

    def members(self, table: Mapping[str, Any], key: str, default: frozenset[str] = frozenset()) -> frozenset[str]:
        if key not in table:
            return default
        return frozenset(terminal for name in table[key] for terminal in self.terminals(name))

    def targets(self, table: Mapping[str, str]) -> dict[str, str]:
        """Return the mode that each terminal leads to; a terminal that is named itself goes before its group."""
        ordered = sorted(table.items(), key=lambda entry: entry[0] not in self.groups)
        return {terminal: target for name, target in ordered for terminal in self.terminals(name)}
