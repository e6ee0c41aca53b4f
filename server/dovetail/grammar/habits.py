"""Habits: what files of a language write in one way or another, and what has to agree in them beside the grammar.

They stand in `NAME.toml`. A completion follows those of its file (`decoding/file_style.py`), and names the ends of
elements as their beginnings (`quotient/element_names.py`).
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from dovetail.grammar.errors import GrammarError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KEYS = frozenset({"terminator", "quotes", "elements"})
"""The keys of a description that are habits."""


@dataclass(frozen=True, slots=True)
class Terminator:
    """The sign that ends a statement where a line end may do so as well."""

    sign: str
    statement: str
    """The shortest statement that may begin wherever one may, and goes on with no other."""
    written: str
    """A regular expression for the end of a line that has the sign."""
    left_out: str
    """A regular expression for a line, from its beginning on, with a statement that ends without the sign."""
    above: str = ""
    """A regular expression for a line that stands above the statement it belongs to; empty where there are none."""


@dataclass(frozen=True, slots=True)
class Quotes:
    """Kinds of quotes that mean the same."""

    kinds: tuple[str, ...]
    after: str = ""
    """A regular expression for the end of the text before strings to which these kinds belong; empty for all others."""


@dataclass(frozen=True, slots=True)
class Elements:
    """Elements whose end repeats the name of their beginning."""

    tag: str
    """A regular expression for the beginning of a tag up to its name: its group `name` holds that, and its group `end`
    is not empty in an end."""
    opened: str
    """The mode after the sign that begins an element."""
    closing: str
    """The mode after the sign that begins the end of an element."""
    end: str
    """The sign after the name in the end of an element."""
    lacking: str = ""
    """A regular expression for what stands before the value that an attribute lacks, as `={` before `}`; empty where
    none is filled."""
    value: str = ""
    """The look of such a value."""


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of a language."""

    terminator: Terminator | None = None
    quotes: tuple[Quotes, ...] = ()
    elements: Elements | None = None

    def plain(self) -> dict[str, Any]:
        """Return the values as dicts, lists and strings."""
        return asdict(self)


def habits_of(data: Mapping[str, Any]) -> Habits:
    """Return what `Habits.plain` made, or what a description has; raise TypeError for other values."""
    terminator, elements = data.get("terminator"), data.get("elements")
    return Habits(
        terminator=None if terminator is None else Terminator(**terminator),
        quotes=tuple(Quotes(**{**each, "kinds": tuple(each["kinds"])}) for each in data.get("quotes", ())),
        elements=None if elements is None else Elements(**elements),
    )


def read_habits(path: Path, header: Mapping[str, Any], modes: frozenset[str]) -> Habits:
    """Return the habits of a description as TOML has it; `path` is its file, for messages, `modes` are its modes.

    Raises GrammarError for values of the wrong form, a pattern that is no regular expression, and an unknown mode.
    """
    try:
        habits = habits_of({key: header[key] for key in KEYS if key in header})
    except KeyError as missing:
        raise GrammarError(f"{path}: [[quotes]] lacks `{missing.args[0]}`; add it.") from None
    except (TypeError, AttributeError) as error:
        raise GrammarError(f"{path}: a habit of the language has the wrong form: {error}.") from None
    patterns: list[tuple[str, str]] = [("after", quotes.after) for quotes in habits.quotes]
    if habits.terminator is not None:
        patterns += [(key, getattr(habits.terminator, key)) for key in ("written", "left_out", "above")]
    if habits.elements is not None:
        patterns += [("tag", habits.elements.tag), ("lacking", habits.elements.lacking)]
        for mode in (habits.elements.opened, habits.elements.closing):
            if mode not in modes:
                raise GrammarError(
                    f"{path}: [elements] names the mode `{mode}`, which is none of [[modes]]; correct it."
                )
    for key, pattern in patterns:
        try:
            groups = re.compile(pattern).groupindex
        except (re.error, TypeError) as error:
            raise GrammarError(f"{path}: `{key}` is no regular expression: {error}.") from None
        if key == "tag" and not {"name", "end"} <= set(groups):
            raise GrammarError(f"{path}: `tag` lacks a group `name` or `end`: write `(?P<name>…)` around the name.")
    for quotes in habits.quotes:
        if len(quotes.kinds) < 2 or any(not isinstance(kind, str) or len(kind) != 1 for kind in quotes.kinds):
            raise GrammarError(
                f"{path}: `kinds` of [[quotes]] is {list(quotes.kinds)!r}; write two characters or more."
            )
    return habits


NO_HABITS = Habits()
"""Those of a language whose description has none."""
