"""The settings of Dovetail: declared here once, each with its value's form, its default and its description.

The parsing of what a client sends follows these declarations. So do the tables in the documentation and in the editors'
manifests: they are generated from this file, or tests compare them with it.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from dovetail.grammar.facts import Facts

Scope: TypeAlias = Literal["machine", "machine-overridable", "window", "resource"]
"""A setting may differ between machines only, or also between workspaces that a user trusts; between an editor's
windows; or between documents (VS Code's words)."""


class SettingsError(ValueError):
    """Settings that do not exist or values of the wrong form; the message is one sentence for each."""


@dataclass(frozen=True, slots=True)
class ValueKind:
    """The form of a setting's value."""

    wanted: str
    """The values that are allowed, for messages."""
    fits: Callable[[object], bool]
    schema: Mapping[str, object]
    """The same as JSON Schema, without the default."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, as users name it."""

    name: str
    field: str
    """The field of `Settings`."""
    language: str | None
    """The language that the setting is for; None for all."""
    kind: ValueKind
    default: object
    description: str
    """Sentences for users, in Markdown."""
    scope: Scope


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _one_of(*words: str) -> ValueKind:
    listed = ", ".join(f"`{word}`" for word in words[:-1]) + f" or `{words[-1]}`"
    return ValueKind(listed, lambda value: isinstance(value, str) and value in words, {"type": "string", "enum": words})


def _some_of(*words: str) -> ValueKind:
    listed = ", ".join(f"`{word}`" for word in words[:-1]) + f" and `{words[-1]}`"
    return ValueKind(
        f"a list of {listed}",
        lambda value: isinstance(value, list) and all(word in words for word in value),
        {"type": "array", "items": {"type": "string", "enum": words}},
    )


def _number(wanted: str, fits: Callable[[Any], bool], **bounds: float) -> ValueKind:
    return ValueKind(wanted, lambda value: _is_number(value) and fits(value), {"type": "number", **bounds})


_SWITCH = ValueKind("true or false", lambda value: isinstance(value, bool), {"type": "boolean"})
_COUNT = ValueKind(
    "a whole number of at least 1",
    lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 1,
    {"type": "integer", "minimum": 1},
)
_SECONDS = _number("a number of seconds above 0", lambda value: value > 0, exclusiveMinimum=0)
_PAUSE = _number("a number of seconds of at least 0", lambda value: value >= 0, minimum=0)
_MEASURE = _number("a number of at least 0", lambda value: value >= 0, minimum=0)
_SHARE = _number("a number above 0 and at most 1", lambda value: 0 < value <= 1, exclusiveMinimum=0, maximum=1)
_MODEL = ValueKind("the folder or the name of a model", _is_text, {"type": ["string", "null"]})
_HOST = ValueKind("the address of a team's host", _is_text, {"type": ["string", "null"]})
_LANGUAGES = ValueKind(
    'a list of languages like `["json"]`',
    lambda value: isinstance(value, list) and all(map(_is_text, value)),
    {"type": "array", "items": {"type": "string"}},
)
_VERSION = r"\d+\.\d+|[a-z]+"


def _version(facts: Facts) -> ValueKind:
    return ValueKind(
        f"a version of {facts.title} like `{facts.versions[len(facts.versions) // 2]}`",
        lambda value: isinstance(value, str) and re.fullmatch(_VERSION, value) is not None,
        {"type": ["string", "null"], "pattern": f"^(?:{'|'.join(map(re.escape, facts.versions))})$"},
    )


def _setting(
    default: object, kind: ValueKind, description: str, *, scope: Scope = "window", name: str | None = None
) -> Any:
    """Declare a field that is a setting; its name is the field's, if there is no other."""
    return field(default=default, metadata={"kind": kind, "description": description, "scope": scope, "name": name})


def _setting_for_each(
    default: object,
    name: str,
    kind: Callable[[Facts], ValueKind],
    description: str,
    applies: Callable[[Facts], bool],
    *,
    scope: Scope = "window",
) -> Any:
    """Declare a field that maps languages to values; users write the setting `LANGUAGE.name`.

    It exists for the languages to whose facts it applies. In the description `{title}` is the language's name and
    `{otherwise}` the version of a document for which nothing is set.
    """
    metadata = {"kind": kind, "description": description, "scope": scope, "name": name, "applies": applies}
    return field(default_factory=dict, metadata={**metadata, "default": default})


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a session; each has a default."""

    enabled: bool = _setting(True, _SWITCH, "Whether completions are offered.")
    disabled_languages: tuple[str, ...] = _setting(
        (), _LANGUAGES, "Languages without completions, by the names that the editor gives them."
    )
    unchecked: bool = _setting(
        False, _SWITCH,
        "Whether completions are also offered in languages without a grammar. Nothing checks them there, and they are "
        "marked.",
    )  # fmt: skip
    max_characters: int = _setting(1_000_000, _COUNT, "Documents with more characters than this get no completions.")
    trigger: str = _setting(
        "balanced", _one_of("eager", "balanced", "manual"),
        "When completions are offered while you type: everywhere but inside a word (`eager`), only where they are "
        "likely enough to be accepted, after a finished statement only if that is nearly certain (`balanced`), or "
        "never (`manual`). Asked for by hand, they are offered everywhere.",
    )  # fmt: skip
    debounce: float = _setting(
        0.05, _PAUSE,
        "Seconds without a key before the model is asked. A completion that is asked for by hand does not wait.",
    )  # fmt: skip
    completion_items: bool = _setting(
        False, _SWITCH,
        "Whether completions are also offered as items of `textDocument/completion`, for editors without inline "
        "completions. Must be set at start-up unless the editor supports dynamic registration.",
    )  # fmt: skip
    completion_time_limit: float = _setting(
        0.5, _SECONDS, "The time limit of such an item in seconds: editors show no item before the slowest has come."
    )
    model: str | None = _setting(
        None, _MODEL,
        "A model that `dovetail models get` has fetched, a folder with a model, a GGUF file, the address of an engine "
        "over HTTP such as `http://127.0.0.1:8000`, or a model's name on the Hugging Face hub. Without it the embedded "
        "model is used. A folder below the one in which the server runs is "
        "written `./name`.",
        scope="machine-overridable",
    )  # fmt: skip
    max_tokens: int = _setting(64, _COUNT, "The most tokens of the model in a completion.")
    time_limit: float = _setting(5.0, _SECONDS, "Seconds after which a completion is finished where it stands.")
    shape: str = _setting(
        "auto", _one_of("auto", "line", "block"),
        "Where a completion ends: after the line, after the block, or (`auto`) where the syntax suggests.",
    )  # fmt: skip
    min_characters: int = _setting(
        2, _COUNT, "Completions with fewer characters, not counting blanks, are not shown unless asked for by hand."
    )
    candidates: int = _setting(3, _COUNT, "How many completions are offered when the user asks by hand.")
    temperature: float = _setting(0.0, _MEASURE, "0 takes the likeliest text. Above 0, tokens are drawn at random.")
    top_p: float = _setting(
        0.95, _SHARE, "Random tokens are drawn from the likeliest ones that together have this probability."
    )
    prompt_order: str = _setting(
        "auto", _one_of("auto", "psm", "spm"),
        "The text that the model reads first: the text before the cursor (`psm`), the text after it (`spm`), or the "
        "order that suits the model best (`auto`).",
    )  # fmt: skip
    context: str = _setting(
        "workspace", _one_of("off", "open", "workspace"),
        "The other files of which the model is shown parts that are like the text at the cursor: none (`off`), the "
        "open ones (`open`), or also those that import the file or are imported by it (`workspace`). Only files of the "
        "workspace's folders are read, and none that a `.gitignore` or the name of a secret names. What is shown goes "
        "where the model is, also to an engine on another machine.",
        scope="machine-overridable",
    )  # fmt: skip
    fallbacks: tuple[str, ...] = _setting(
        ("window", "cpu"), _some_of("window", "cpu", "embedded"),
        "What is tried, in this order, when a model fails: half of its `window`, the processor (`cpu`), the `embedded` "
        "model.",
    )  # fmt: skip
    hang_limit: float = _setting(
        120.0,
        _SECONDS,
        "Seconds beyond its time limit after which a completion is given up and the model is reloaded.",
    )
    host_shared: bool = _setting(
        True, _SWITCH,
        "Whether one process holds the model for all windows and editors of yours that use it. Otherwise each has its "
        "own. On Windows each always has its own.",
        name="host.shared",
    )  # fmt: skip
    host_idle: float = _setting(
        5.0, _MEASURE, "Minutes after which the shared process ends, when the last window is gone.", name="host.idle"
    )
    team_host: str | None = _setting(
        None, _HOST,
        "The address of a team's host, such as `https://completions.example.org`, that completes in the place of a "
        "model on this machine. Documents in which completions are asked for, and what `context` shows of others, are "
        "sent there. Its key is in the environment variable `DOVETAIL_TEAM_KEY`: the address, a blank and the key. "
        "While the host is away, the model of this machine completes.",
        scope="machine",
        name="team.host",
    )  # fmt: skip
    statistics: bool = _setting(
        True, _SWITCH,
        "Whether the completions that were shown, accepted and kept are counted for `dovetail stats`. The counts stay "
        "on this machine and hold no text.",
        scope="machine",
    )  # fmt: skip
    notebook_commands: dict[str, bool] = _setting_for_each(  # noqa: RUF009 - this makes a field
        True, "notebook_commands", lambda _: _SWITCH,
        "Whether the cells of {title} notebooks may hold lines that are commands to the notebook, such as `!pip` or "
        "`%timeit`.",
        lambda facts: facts.notebook is not None,
    )  # fmt: skip
    target_versions: dict[str, str] = _setting_for_each(  # noqa: RUF009 - this makes a field
        None, "target_version", _version,
        "The version of {title} that completions are written for. Without it {otherwise}.",
        lambda facts: bool(facts.versions),
    )  # fmt: skip

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, object]) -> Settings:
        """Return the settings of a mapping from names to values, as a client sends it.

        Null leaves a default as it is. The settings of a language are written `python.target_version`, or as a mapping
        below the language's name. Raises SettingsError with all unknown names and values of the wrong form.

        >>> Settings.from_mapping({"max_tokens": 8, "python": {"target_version": "3.9"}}).target_versions
        {'python': '3.9'}
        """
        known = declared()
        values: dict[str, Any] = {}  # field → value
        mistakes: list[str] = []
        for name, value in _flat(mapping):
            setting = known.get(name)
            if setting is None:
                near = difflib.get_close_matches(name, known, n=1)
                remedy = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(known)}."
                mistakes.append(f"There is no setting `{name}`: {remedy}")
            elif value is None:
                continue
            elif not setting.kind.fits(value):
                mistakes.append(f"The setting `{name}` has to be {setting.kind.wanted}, not {value!r}.")
            elif setting.language is None:
                values[setting.field] = tuple(value) if isinstance(value, list) else value
            else:
                values[setting.field] = {**values.get(setting.field, {}), setting.language: value}
        if mistakes:
            raise SettingsError(" ".join(mistakes))
        return cls(**values)

    def reads_commands(self, language: str) -> bool:
        """Return whether lines in a notebook of a language may be commands, where its notebooks have any."""
        return self.notebook_commands.get(language, True)


@cache
def declared() -> dict[str, Setting]:
    """Return all settings by name, in the order of their declaration."""
    found = []
    for declaration in dataclasses.fields(Settings):
        data = declaration.metadata
        if "applies" not in data:
            found.append(
                Setting(
                    data["name"] or declaration.name, declaration.name, None, data["kind"], declaration.default,
                    data["description"], data["scope"],
                )
            )  # fmt: skip
            continue
        for language, facts in languages().items():
            if data["applies"](facts):
                otherwise = f"the newest known version, {facts.versions[-1]}" if facts.versions else ""
                otherwise = f"what the file's name says, or else {facts.versions[-1]}" if facts.files else otherwise
                description = data["description"].format(title=facts.title, otherwise=otherwise)
                found.append(
                    Setting(
                        f"{language}.{data['name']}", declaration.name, language, data["kind"](facts), data["default"],
                        description, data["scope"],
                    )
                )  # fmt: skip
    return {setting.name: setting for setting in found}


def _flat(mapping: Mapping[str, object], above: str = "") -> Iterator[tuple[str, object]]:
    """Yield full names and values; a mapping stands for the settings below its name, if there are any."""
    for key, value in mapping.items():
        name = f"{above}{key}"
        holds_others = any(known.startswith(f"{name}.") for known in declared())
        if holds_others and (value is None or isinstance(value, dict)):
            yield from _flat(value or {}, f"{name}.")
        else:
            yield name, value
