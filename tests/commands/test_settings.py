"""The one door through which settings come."""

from __future__ import annotations

import dataclasses

import pytest

from dovetail.settings import Settings, SettingsError, declared

_KNOWN = "that is known (3.8, 3.9, 3.10, 3.11, 3.12, 3.13, 3.14)"


def test_nothing_set_is_the_defaults() -> None:
    """An empty mapping, and nulls, leave every setting at its default."""
    assert Settings.from_mapping({}) == Settings()
    assert Settings.from_mapping({"model": None, "max_tokens": None, "python": None}) == Settings()


def test_every_field_can_be_set() -> None:
    """Every field has a name under which a client sets it."""
    values = {
        "enabled": False,
        "disabled_languages": ["json"],
        "unchecked": True,
        "max_characters": 1000,
        "trigger": "eager",
        "debounce": 0,
        "completion_items": True,
        "completion_time_limit": 0.2,
        "model": "folder",
        "max_tokens": 7,
        "time_limit": 0.5,
        "shape": "line",
        "min_characters": 5,
        "candidates": 2,
        "temperature": 0.4,
        "top_p": 0.9,
        "prompt_order": "psm",
        "context": "open",
        "fallbacks": ["embedded"],
        "hang_limit": 9.5,
        "host.shared": False,
        "host.idle": 0.5,
        "team.host": "https://completions.example.org",
        "statistics": False,
        "python.notebook_commands": False,
        "go.target_version": "1.25",
        "javascript.target_version": "2020",
        "javascriptreact.target_version": "next",
        "jsonc.target_version": "comments",
        "lua.target_version": "luajit",
        "python.target_version": "3.12",
        "typescript.target_version": "5.4",
        "typescriptreact.target_version": "6.0",
    }

    settings = Settings.from_mapping(values)

    general = {
        name: value
        for name, value in values.items()
        if not name.endswith("target_version") and not name.startswith("python.")
    }
    expected = tuple(tuple(value) if isinstance(value, list) else value for value in general.values())
    versions = {
        "go": "1.25",
        "javascript": "2020",
        "javascriptreact": "next",
        "jsonc": "comments",
        "lua": "luajit",
        "python": "3.12",
        "typescript": "5.4",
        "typescriptreact": "6.0",
    }
    assert dataclasses.astuple(settings) == (*expected, {"python": False}, versions)
    assert list(values) == list(declared())


def test_settings_of_a_language_may_be_nested() -> None:
    """A mapping below a language's name stands for the settings of the language."""
    assert Settings.from_mapping({"python": {"target_version": "3.9"}}).target_versions == {"python": "3.9"}


@pytest.mark.parametrize(
    ("mapping", "sentence"),
    [
        ({"max_token": 3}, "There is no setting `max_token`: did you mean `max_tokens`?"),
        ({"python": {"goal": "3.9"}}, "There is no setting `python.goal`; "),
        (
            {"python.target": "3.9"},
            "There is no setting `python.target`: did you mean `python.target_version`?",
        ),
        ({"shape": "word"}, "The setting `shape` has to be `auto`, `line` or `block`, not 'word'."),
        ({"temperature": -1}, "The setting `temperature` has to be a number of at least 0, not -1."),
        ({"top_p": 0}, "The setting `top_p` has to be a number above 0 and at most 1, not 0."),
        ({"top_p": True}, "The setting `top_p` has to be a number above 0 and at most 1, not True."),
        ({"max_tokens": 0}, "The setting `max_tokens` has to be a whole number of at least 1, not 0."),
        ({"max_tokens": True}, "The setting `max_tokens` has to be a whole number of at least 1, not True."),
        ({"max_tokens": "8"}, "The setting `max_tokens` has to be a whole number of at least 1, not '8'."),
        ({"time_limit": -1.5}, "The setting `time_limit` has to be a number of seconds above 0, not -1.5."),
        ({"time_limit": float("inf")}, "The setting `time_limit` has to be a number of seconds above 0"),
        (
            {"disabled_languages": "json"},
            "The setting `disabled_languages` has to be a list of languages like `[\"json\"]`, not 'json'.",
        ),
        ({"debounce": -1}, "The setting `debounce` has to be a number of seconds of at least 0, not -1."),
        ({"enabled": 1}, "The setting `enabled` has to be true or false, not 1."),
        ({"model": " "}, "The setting `model` has to be the folder or the name of a model, not ' '."),
        ({"python": "3.11"}, "There is no setting `python`; the documentation"),
        (
            {"python.target_version": 3.11},
            f"The setting `python.target_version` has to be a version of Python {_KNOWN}, not 3.11.",
        ),
    ],
)
def test_a_mistake_is_one_sentence(mapping: dict[str, object], sentence: str) -> None:
    """An unknown name or a wrong value is refused with the name, the value and the remedy."""
    with pytest.raises(SettingsError) as caught:
        Settings.from_mapping(mapping)

    assert str(caught.value).startswith(sentence)


def test_all_mistakes_are_named() -> None:
    """Several wrong settings are several sentences, in the order in which they were written."""
    with pytest.raises(SettingsError) as caught:
        Settings.from_mapping({"shape": "word", "max_tokens": 3, "modell": "x", "python": {"target_version": 3}})

    assert str(caught.value) == (
        "The setting `shape` has to be `auto`, `line` or `block`, not 'word'. "
        "There is no setting `modell`: did you mean `model`? "
        "The setting `python.target_version` has to be a version of Python "
        f"{_KNOWN}, not 3."
    )


@pytest.mark.parametrize(
    ("name", "value", "taken"),
    [
        ("python.target_version", "2.7", "`3.14`"),
        ("jsonc.target_version", "json5", "the default"),
        ("trigger", "sometimes", "`balanced`"),
        ("max_tokens", "many", "`64`"),
        ("context", "all", "`workspace`"),
        ("disabled_languages", "json", "`[]`"),
        ("fallbacks", "cpu", '`["window", "cpu"]`'),
        ("statistics", "off", "`true`"),
        ("model", 3, "the embedded model"),
        ("team.host", [], "no host"),
    ],
)
def test_a_wrong_value_leaves_the_default_and_the_others_are_taken(name: str, value: object, taken: str) -> None:
    """One mistake costs one setting, and its sentence names the value that holds instead."""
    settings, [mistake] = Settings.read({name: value, "min_characters": 7})

    assert settings == Settings.from_mapping({"min_characters": 7})
    assert str(mistake).startswith(f"The setting `{name}` has to be ")
    assert str(mistake).endswith(f", not {value!r}; {taken} is taken.")


def test_a_wrong_value_leaves_the_value_before() -> None:
    """A wrong value changes nothing of its own setting where another held before; a missing one does."""
    before = Settings.from_mapping({"trigger": "manual", "python.target_version": "3.9", "fallbacks": ["cpu"]})

    settings, mistakes = Settings.read({"trigger": 1, "python.target_version": "2.7", "max_tokens": 9}, before)

    assert settings == Settings.from_mapping({"trigger": "manual", "python.target_version": "3.9", "max_tokens": 9})
    assert [mistake.taken for mistake in mistakes] == ["`manual`", "`3.9`"]


def test_an_unknown_name_is_left_out() -> None:
    """A name that is no setting's costs nothing, and its sentence names the nearest."""
    settings, mistakes = Settings.read({"max_tokens": 9, "modell": "x"})

    assert settings == Settings.from_mapping({"max_tokens": 9})
    assert list(map(str, mistakes)) == ["There is no setting `modell`: did you mean `model`?"]
