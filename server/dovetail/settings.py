"""Everything that a user may set, through one door."""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


class SettingsError(ValueError):
    """A setting that does not exist or has no such value; the message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set; every setting has a default.

    A setting's name is the field's; those of one language stand below its name: `python.target_version`, or
    `{"python": {"target_version": …}}`.
    """

    enabled: bool = True
    """Whether completions are offered."""
    disabled_languages: tuple[str, ...] = ()
    """Languages in which none are offered, by the names that clients give them."""
    unchecked: bool = False
    """Whether completions are offered also where there is no grammar to check them with; they are marked."""
    max_characters: int = 1_000_000
    """Documents with more characters than this are not completed: to read one for the first time takes too long."""
    debounce: float = 0.05
    """The seconds without a key after which the model is asked, unless a user asked for the completion."""
    completion_items: bool = False
    """Whether completions are offered as items of `textDocument/completion` too, for editors without inline ones."""
    completion_time_limit: float = 0.5
    """The time limit of such an item: editors show no other item before it is there."""
    model: str | None = None
    """A folder with a model, or the name of one on a hub; None for the one that comes with Dovetail."""
    max_tokens: int = 64
    """The most tokens that a completion may have."""
    time_limit: float = 5.0
    """The seconds after which a completion is closed where it stands."""
    shape: str = "auto"
    """Where a completion ends: `line`, `block`, or `auto`, as the syntax at the cursor says."""
    min_characters: int = 2
    """Completions of fewer characters, blanks apart, are not shown."""
    candidates: int = 3
    """How many completions are offered where one was asked for by hand."""
    temperature: float = 0.0
    """0 for the likeliest text; above it tokens are drawn by chance."""
    top_p: float = 0.95
    """Tokens are drawn from the likeliest ones that have together this probability."""
    prompt_order: str = "auto"
    """What the model reads first: `psm` the left text, `spm` the right one, `auto` what suits it best."""
    fallbacks: tuple[str, ...] = ("window", "cpu")
    """What is tried, in this order, when a model fails: half the window, the processor, the embedded model."""
    hang_limit: float = 120.0
    """The seconds beyond its time limit after which an answer is given up and the model loaded again."""
    python_notebook_commands: bool = True
    """Whether lines with `!` or `%` before them are commands in a notebook's cells, and no Python."""
    python_target_version: str | None = None
    """The Python version that completions are written for, as `3.11`.

    None is the newest that is known in the server, and on the command line the one that runs it.
    """

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> Settings:
        """Return the settings of a mapping, as a language client sends it; null leaves a default as it is.

        Raises SettingsError for a name that does not exist and for a value of the wrong kind.
        """
        values: dict[str, Any] = {}  # field -> value
        for name, value in _flat(mapping):
            if name not in _SETTINGS:
                near = difflib.get_close_matches(name, _SETTINGS, n=1)
                remedy = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(_SETTINGS)}."
                raise SettingsError(f"There is no setting `{name}`: {remedy}")
            field, fits, wanted = _SETTINGS[name]
            if value is not None and not fits(value):
                raise SettingsError(f"The setting `{name}` has to be {wanted}, not {value!r}.")
            if value is not None:
                values[field] = tuple(value) if isinstance(value, list) else value
        return cls(**values)


def _flat(mapping: Mapping[str, object], above: str = "") -> Iterator[tuple[str, object]]:
    """Yield full names and values; a mapping stands for the settings below its name, if there are any."""
    for key, value in mapping.items():
        name = f"{above}{key}"
        holds_others = any(known.startswith(f"{name}.") for known in _SETTINGS)
        if holds_others and (value is None or isinstance(value, dict)):
            yield from _flat(value or {}, f"{name}.")
        else:
            yield name, value


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(_is_text(name) for name in value)


def _is_subset_of(*words: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(word in words for word in value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_duration(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


def _is_measure(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


def _is_share(value: object) -> bool:
    return _is_duration(value) and isinstance(value, int | float) and value <= 1


def _is_one_of(*words: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in words


def _is_version(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d+\.\d+", value) is not None


_SETTINGS: dict[str, tuple[str, Callable[[object], bool], str]] = {
    "enabled": ("enabled", _is_bool, "true or false"),
    "disabled_languages": ("disabled_languages", _is_names, 'a list of languages like `["json"]`'),
    "unchecked": ("unchecked", _is_bool, "true or false"),
    "max_characters": ("max_characters", _is_count, "a whole number of at least 1"),
    "debounce": ("debounce", _is_measure, "a number of seconds of at least 0"),
    "completion_items": ("completion_items", _is_bool, "true or false"),
    "completion_time_limit": ("completion_time_limit", _is_duration, "a number of seconds above 0"),
    "model": ("model", _is_text, "the folder or the name of a model"),
    "max_tokens": ("max_tokens", _is_count, "a whole number of at least 1"),
    "time_limit": ("time_limit", _is_duration, "a number of seconds above 0"),
    "shape": ("shape", _is_one_of("auto", "line", "block"), "`auto`, `line` or `block`"),
    "min_characters": ("min_characters", _is_count, "a whole number of at least 1"),
    "candidates": ("candidates", _is_count, "a whole number of at least 1"),
    "temperature": ("temperature", _is_measure, "a number of at least 0"),
    "top_p": ("top_p", _is_share, "a number above 0 and at most 1"),
    "prompt_order": ("prompt_order", _is_one_of("auto", "psm", "spm"), "`auto`, `psm` or `spm`"),
    "fallbacks": (
        "fallbacks",
        _is_subset_of("window", "cpu", "embedded"),
        "a list of `window`, `cpu` and `embedded`",
    ),
    "hang_limit": ("hang_limit", _is_duration, "a number of seconds above 0"),
    "python.notebook_commands": ("python_notebook_commands", _is_bool, "true or false"),
    "python.target_version": ("python_target_version", _is_version, "a version of Python like `3.11`"),
}
"""Setting → its field, the test of its value, and what the value has to be."""
