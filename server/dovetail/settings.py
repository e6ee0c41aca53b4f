"""The settings of Dovetail: declared here once, each with its value's form, its default and its description.

The parsing of what a client sends follows these declarations. So do the tables in the documentation and in the editors'
manifests: they are generated from this file, or tests compare them with it.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from dovetail.grammar.library import languages
from dovetail.value_kinds import (
    COUNT,
    HOST,
    LANGUAGES,
    MEASURE,
    MODEL,
    PAUSE,
    SECONDS,
    SHARE,
    SWITCH,
    known_version,
    one_of,
    some_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from dovetail.grammar.facts import Facts
    from dovetail.value_kinds import ValueKind

Scope: TypeAlias = Literal["machine", "machine-overridable", "window", "resource"]
"""A setting may differ between machines only, or also between workspaces that a user trusts; between an editor's
windows; or between documents (VS Code's words)."""


class SettingsError(ValueError):
    """Settings that do not exist or values of the wrong form; the message is one sentence for each."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A part of a client's settings that is no setting, or has a value of the wrong form."""

    sentence: str
    """The fault, and what would be right."""
    taken: str | None = None
    """The value that holds instead, as people write it; None for a name that is no setting's."""

    def __str__(self) -> str:
        """Return the sentence, with the value that is taken."""
        if self.taken is None:
            return self.sentence
        return f"{self.sentence.removesuffix('.')}; {self.taken} is taken."


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

    enabled: bool = _setting(True, SWITCH, "Whether completions are offered.")
    disabled_languages: tuple[str, ...] = _setting(
        (), LANGUAGES, "Languages without completions, by the names that the editor gives them."
    )
    unchecked: bool = _setting(
        False, SWITCH,
        "Whether completions are also offered in languages without a grammar. Nothing checks them there, and they are "
        "marked.",
    )  # fmt: skip
    max_characters: int = _setting(1_000_000, COUNT, "Documents with more characters than this get no completions.")
    trigger: str = _setting(
        "balanced", one_of("eager", "balanced", "manual"),
        "When completions are offered while you type: everywhere but inside a word (`eager`), only where they are "
        "likely enough to be accepted, after a finished statement only if that is nearly certain (`balanced`), or "
        "never (`manual`). Asked for by hand, they are offered everywhere, inside a word if the words stay whole.",
    )  # fmt: skip
    debounce: float = _setting(
        0.05, PAUSE,
        "Seconds without a key before the model is asked. A completion that is asked for by hand does not wait.",
    )  # fmt: skip
    completion_items: bool = _setting(
        False, SWITCH,
        "Whether completions are also offered as items of `textDocument/completion`, for editors without inline "
        "completions. Must be set at start-up unless the editor supports dynamic registration.",
    )  # fmt: skip
    completion_time_limit: float = _setting(
        0.5, SECONDS, "The time limit of such an item in seconds: editors show no item before the slowest has come."
    )
    model: str | None = _setting(
        None, MODEL,
        "A model that `dovetail models get` has fetched, a folder with a model, a GGUF file, the address of an engine "
        "over HTTP such as `http://127.0.0.1:8000`, or a model's name on the Hugging Face hub. Without it the embedded "
        "model is used. A folder below the one in which the server runs is "
        "written `./name`.",
        scope="machine-overridable",
    )  # fmt: skip
    max_tokens: int = _setting(64, COUNT, "The most tokens of the model in a completion.")
    time_limit: float = _setting(5.0, SECONDS, "Seconds after which a completion is finished where it stands.")
    shape: str = _setting(
        "auto", one_of("auto", "line", "block"),
        "Where a completion ends: after the line, after the block, or (`auto`) where the syntax suggests.",
    )  # fmt: skip
    min_characters: int = _setting(
        2, COUNT, "Completions with fewer characters, not counting blanks, are not shown unless asked for by hand."
    )
    candidates: int = _setting(3, COUNT, "How many completions are offered when the user asks by hand.")
    temperature: float = _setting(0.0, MEASURE, "0 takes the likeliest text. Above 0, tokens are drawn at random.")
    top_p: float = _setting(
        0.95, SHARE, "Random tokens are drawn from the likeliest ones that together have this probability."
    )
    prompt_order: str = _setting(
        "auto", one_of("auto", "psm", "spm"),
        "The text that the model reads first: the text before the cursor (`psm`), the text after it (`spm`), or the "
        "order that suits the model best (`auto`).",
    )  # fmt: skip
    context: str = _setting(
        "workspace", one_of("off", "open", "workspace"),
        "The other files of which the model is shown parts that are like the text at the cursor: none (`off`), the "
        "open ones (`open`), or also those that import the file, are imported by it, or use the same names "
        "(`workspace`). Only files of the workspace's folders are read, and none that a `.gitignore` or the name of a "
        "secret names. What is shown goes where the model is, also to an engine on another machine.",
        scope="machine-overridable",
    )  # fmt: skip
    fallbacks: tuple[str, ...] = _setting(
        ("window", "cpu"), some_of("window", "cpu", "embedded"),
        "What is tried, in this order, when a model fails: half of its `window`, the processor (`cpu`), the `embedded` "
        "model.",
    )  # fmt: skip
    hang_limit: float = _setting(
        120.0,
        SECONDS,
        "Seconds beyond its time limit after which a completion is given up and the model is reloaded.",
    )
    host_shared: bool = _setting(
        True, SWITCH,
        "Whether one process holds the model for all windows and editors of yours that use it. Otherwise each has its "
        "own. On Windows each always has its own.",
        name="host.shared",
    )  # fmt: skip
    host_idle: float = _setting(
        5.0, MEASURE, "Minutes after which the shared process ends, when the last window is gone.", name="host.idle"
    )
    team_host: str | None = _setting(
        None, HOST,
        "The address of a team's host, such as `https://completions.example.org`, that completes in the place of a "
        "model on this machine. Documents in which completions are asked for, and what `context` shows of others, are "
        "sent there. Its key is in the environment variable `DOVETAIL_TEAM_KEY`: the address, a blank and the key. "
        "While the host is away, the model of this machine completes.",
        scope="machine",
        name="team.host",
    )  # fmt: skip
    statistics: bool = _setting(
        True, SWITCH,
        "Whether the completions that were shown, accepted and kept are counted for `dovetail stats`. The counts stay "
        "on this machine and hold no text.",
        scope="machine",
    )  # fmt: skip
    notebook_commands: dict[str, bool] = _setting_for_each(  # noqa: RUF009 - this makes a field
        True, "notebook_commands", lambda _: SWITCH,
        "Whether the cells of {title} notebooks may hold lines that are commands to the notebook, such as `!pip` or "
        "`%timeit`.",
        lambda facts: facts.notebook is not None,
    )  # fmt: skip
    target_versions: dict[str, str] = _setting_for_each(  # noqa: RUF009 - this makes a field
        None, "target_version", known_version,
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
        settings, mistakes = cls.read(mapping)
        if mistakes:
            raise SettingsError(" ".join(mistake.sentence for mistake in mistakes))
        return settings

    @classmethod
    def read(cls, mapping: Mapping[str, object], before: Settings | None = None) -> tuple[Settings, list[Mistake]]:
        """Return the settings of a mapping, and its mistakes in the order of the mapping.

        An unknown name is left out. A setting whose value has the wrong form keeps the value that it has `before`, by
        default its default.

        >>> settings, mistakes = Settings.read({"max_tokens": 8, "shape": "word"})
        >>> settings.max_tokens, settings.shape, str(mistakes[0])
        (8, 'auto', "The setting `shape` has to be `auto`, `line` or `block`, not 'word'; `auto` is taken.")
        """
        known = declared()
        values: dict[str, Any] = {}  # field → value
        mistakes: list[Mistake] = []
        for name, value in _flat(mapping):
            setting = known.get(name)
            if setting is None:
                near = difflib.get_close_matches(name, known, n=1)
                remedy = f": did you mean `{near[0]}`?" if near else "; the documentation's page of settings lists all."
                mistakes.append(Mistake(f"There is no setting `{name}`{remedy}"))
                continue
            if value is None:
                continue
            if not setting.kind.fits(value):
                instead = _value_of(before or cls(), setting)
                wrong = f"The setting `{name}` has to be {setting.kind.wanted}, not {value!r}."
                mistakes.append(Mistake(wrong, setting.kind.unset if instead is None else _shown(instead)))
                if instead == setting.default:
                    continue
                value = instead
            if setting.language is None:
                values[setting.field] = tuple(value) if isinstance(value, list) else value
            else:
                values[setting.field] = {**values.get(setting.field, {}), setting.language: value}
        return cls(**values), mistakes

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


def _value_of(settings: Settings, setting: Setting) -> object:
    """Return the value of a setting as a client writes it."""
    value = getattr(settings, setting.field)
    if setting.language is not None:
        return value.get(setting.language, setting.default)
    return list(value) if isinstance(value, tuple) else value


def _shown(value: object) -> str:
    """Return a value for a sentence.

    >>> _shown(["a"]), _shown("auto")
    ('`["a"]`', '`auto`')
    """
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _flat(mapping: Mapping[str, object], above: str = "") -> Iterator[tuple[str, object]]:
    """Yield full names and values; a mapping stands for the settings below its name, if there are any."""
    for key, value in mapping.items():
        name = f"{above}{key}"
        holds_others = any(known.startswith(f"{name}.") for known in declared())
        if holds_others and (value is None or isinstance(value, dict)):
            yield from _flat(value or {}, f"{name}.")
        else:
            yield name, value
