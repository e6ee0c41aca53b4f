"""The one door through which settings come."""

from __future__ import annotations

import dataclasses

import pytest

from dovetail.settings import Settings, SettingsError, declared


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
        "jsonc.target_version": "comments",
        "lua.target_version": "luajit",
        "python.target_version": "3.12",
    }

    settings = Settings.from_mapping(values)

    general = {
        name: value for name, value in values.items() if not name.startswith(("go.", "jsonc.", "lua.", "python."))
    }
    expected = tuple(tuple(value) if isinstance(value, list) else value for value in general.values())
    versions = {"go": "1.25", "jsonc": "comments", "lua": "luajit", "python": "3.12"}
    assert dataclasses.astuple(settings) == (*expected, {"python": False}, versions)
    assert list(values) == list(declared())


def test_settings_of_a_language_may_be_nested() -> None:
    """A mapping below a language's name stands for the settings of the language."""
    assert Settings.from_mapping({"python": {"target_version": "3.9"}}).target_versions == {"python": "3.9"}


@pytest.mark.parametrize(
    ("mapping", "sentence"),
    [
        ({"max_token": 3}, "There is no setting `max_token`: did you mean `max_tokens`?"),
        ({"python": {"goal": "3.9"}}, "There is no setting `python.goal`: "),
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
        ({"python": "3.11"}, "There is no setting `python`: known are "),
        (
            {"python.target_version": 3.11},
            "The setting `python.target_version` has to be a version of Python like `3.11`, not 3.11.",
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
        "The setting `python.target_version` has to be a version of Python like `3.11`, not 3."
    )
