"""The manifest of the extension for VS Code against the server's settings."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dovetail import settings
from dovetail.grammar.library import languages
from dovetail.settings import Settings

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / "client-vscode" / "package.json"

OF_THE_CLIENT = {"enabled", "languages", "server.command", "server.python", "server.pipArguments", "trace.server"}
"""The settings that the client obeys itself; where one is off, the server is not asked."""

OF_OTHER_CLIENTS = {"disabled_languages", "completion_items", "completion_time_limit"}
"""Settings of the server in whose place VS Code has something of its own."""


def bindings() -> dict[str, dict[str, str]]:
    """Return the keys of the manifest: command -> its declaration."""
    return {each["command"]: each for each in json.loads(MANIFEST.read_text("utf-8"))["contributes"]["keybindings"]}


def declared() -> dict[str, Any]:
    """Return the settings of the manifest by their names without the extension's: name -> declaration."""
    sections = json.loads(MANIFEST.read_text("utf-8"))["contributes"]["configuration"]
    return {
        name.removeprefix("dovetail."): declaration
        for section in sections
        for name, declaration in section["properties"].items()
    }


def server_name(name: str) -> str:
    """Return the server's name of a setting of the manifest."""
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def test_the_settings_in_vs_code_have_the_defaults_of_the_server() -> None:
    """A default that VS Code shows is what the server takes without it."""
    known = settings.declared()
    for name, declaration in declared().items():
        if name not in OF_THE_CLIENT:
            default = known[server_name(name)].default
            assert declaration["default"] == (list(default) if isinstance(default, tuple) else default), name


def test_the_server_takes_every_setting_of_vs_code_under_its_name() -> None:
    """A value that a user sets in VS Code is one of the server's settings."""
    given = {server_name(name): value["default"] for name, value in declared().items() if name not in OF_THE_CLIENT}
    of_languages = {name: value for name, value in given.items() if settings.declared()[name].language is not None}

    assert Settings.from_mapping({**given, **dict.fromkeys(of_languages)}) == Settings()
    for name, value in of_languages.items():
        setting = settings.declared()[name]
        taken = getattr(Settings.from_mapping({name: value}), setting.field)
        assert taken.get(setting.language, setting.default) == value


def test_every_setting_of_the_server_has_its_place_in_vs_code() -> None:
    """A setting that is added to the server is declared in the manifest too, or has something in its place."""
    known = {server_name(name) for name in declared()}

    assert set(settings.declared()) - known == OF_OTHER_CLIENTS


def test_every_choice_of_vs_code_is_one_of_the_server() -> None:
    """Each word that VS Code offers for a setting is taken by the server."""
    for name, declaration in declared().items():
        for word in declaration.get("enum", []) if name not in OF_THE_CLIENT else []:
            Settings.from_mapping({server_name(name): word})


@pytest.mark.parametrize("name", [name for name, facts in languages().items() if facts.versions])
def test_vs_code_accepts_exactly_the_versions_that_the_server_knows(name: str) -> None:
    """A version that the server would refuse is refused where it is typed."""
    pattern, known = declared()[f"{name}.targetVersion"]["pattern"], languages()[name].versions
    versions = {*known, "3", "3.11.2", "x", *(f"{major}.{minor}" for major in range(7) for minor in range(30))}

    accepted = [version for version in versions if re.search(pattern, version)]

    assert sorted(accepted) == sorted(known)


def test_accepting_a_line_has_a_key_that_the_readme_names() -> None:
    """The key of the manifest stands in the README as people write it, that for a Mac in brackets."""
    names = {"ctrl": "Ctrl", "shift": "Shift", "cmd": "⌘", "right": "→"}
    readme = (MANIFEST.parent / "README.md").read_text("utf-8")

    binding = bindings()["editor.action.inlineSuggest.acceptNextLine"]

    keys = ["+".join(f"<kbd>{names[part]}</kbd>" for part in binding[key].split("+")) for key in ("key", "mac")]
    assert f"| {keys[0]} ({keys[1]}) | accept the next line |" in readme


def test_the_key_that_asks_by_hand_is_answered_in_every_editable_file() -> None:
    """It runs VS Code's own command, and one of ours in languages that are not on, while Dovetail is."""
    own, ours = bindings()["editor.action.inlineSuggest.trigger"], bindings()["dovetail.suggestHere"]
    where, *only = ours["when"].split(" && resourceScheme ")

    assert (ours["key"], where) == (own["key"], own["when"])
    assert only == [
        "=~ /^(file|untitled|vscode-notebook-cell)$/ && dovetail.languages && editorLangId not in dovetail.languages"
    ]


def test_the_extension_is_packaged_without_the_environment_for_development() -> None:
    """`make vsix` installs npm's packages and nothing else, and tests nothing."""
    done = subprocess.run(["make", "-n", "-B", "vsix"], cwd=ROOT, capture_output=True, text=True, check=True)

    assert re.findall(r"^npm \w+ ?\w*", done.stdout, re.MULTILINE) == ["npm ci ", "npm run package"]
    assert "pip" not in done.stdout
