"""The forms of the values that settings have: which values fit, in words, and as JSON Schema."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dovetail.grammar.facts import Facts


@dataclass(frozen=True, slots=True)
class ValueKind:
    """The form of a setting's value."""

    wanted: str
    """The values that are allowed, for messages."""
    fits: Callable[[object], bool]
    schema: Mapping[str, object]
    """The same as JSON Schema, without the default."""
    unset: str = "the default"
    """Words for what is taken where there is no value."""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def one_of(*words: str) -> ValueKind:
    """Return the form of a value that is one of these words."""
    listed = ", ".join(f"`{word}`" for word in words[:-1]) + f" or `{words[-1]}`"
    return ValueKind(listed, lambda value: isinstance(value, str) and value in words, {"type": "string", "enum": words})


def some_of(*words: str) -> ValueKind:
    """Return the form of a list of these words."""
    listed = ", ".join(f"`{word}`" for word in words[:-1]) + f" and `{words[-1]}`"
    return ValueKind(
        f"a list of {listed}",
        lambda value: isinstance(value, list) and all(word in words for word in value),
        {"type": "array", "items": {"type": "string", "enum": words}},
    )


def number(wanted: str, fits: Callable[[Any], bool], **bounds: float) -> ValueKind:
    """Return the form of a finite number that `fits`; `bounds` say the same in words of JSON Schema."""
    return ValueKind(wanted, lambda value: _is_number(value) and fits(value), {"type": "number", **bounds})


SWITCH = ValueKind("true or false", lambda value: isinstance(value, bool), {"type": "boolean"})
COUNT = ValueKind(
    "a whole number of at least 1",
    lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 1,
    {"type": "integer", "minimum": 1},
)
SECONDS = number("a number of seconds above 0", lambda value: value > 0, exclusiveMinimum=0)
PAUSE = number("a number of seconds of at least 0", lambda value: value >= 0, minimum=0)
MEASURE = number("a number of at least 0", lambda value: value >= 0, minimum=0)
SHARE = number("a number above 0 and at most 1", lambda value: 0 < value <= 1, exclusiveMinimum=0, maximum=1)
MODEL = ValueKind("the folder or the name of a model", _is_text, {"type": ["string", "null"]}, "the embedded model")
HOST = ValueKind("the address of a team's host", _is_text, {"type": ["string", "null"]}, "no host")
LANGUAGES = ValueKind(
    'a list of languages like `["json"]`',
    lambda value: isinstance(value, list) and all(map(_is_text, value)),
    {"type": "array", "items": {"type": "string"}},
)


def known_version(facts: Facts) -> ValueKind:
    """Return the form of a version of a language that its grammar knows."""
    return ValueKind(
        f"a version of {facts.title} that is known ({', '.join(facts.versions)})",
        lambda value: isinstance(value, str) and value in facts.versions,
        {"type": ["string", "null"], "pattern": f"^(?:{'|'.join(map(re.escape, facts.versions))})$"},
        "the default" if facts.files else f"`{facts.versions[-1]}`",
    )
