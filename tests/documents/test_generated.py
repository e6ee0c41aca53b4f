"""Documents and manifests say what the settings and the grammars say."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.documents.generated import OTHERWISE, PAGES, ROOT, identifiers, page, properties, property_name

from dovetail.settings import Setting, declared

if TYPE_CHECKING:
    from pathlib import Path

IN_VS_CODE = [setting for setting in declared().values() if setting.name not in OTHERWISE]


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_what_is_generated_is_committed(path: Path) -> None:
    """`python -m tests.documents.generated` would change nothing."""
    text = (ROOT / path).read_text("utf-8")

    assert page(path, text) == text


@pytest.mark.parametrize("setting", IN_VS_CODE, ids=lambda setting: setting.name)
def test_vs_code_takes_the_values_that_the_server_takes(setting: Setting) -> None:
    """A property of the manifest has the type, the bounds, the default and the scope of its setting."""
    known = properties()[property_name(setting)]

    schema = json.loads(json.dumps(setting.kind.schema))
    assert {key: known.get(key) for key in schema} == schema
    assert known["default"] == json.loads(json.dumps(setting.default))
    assert known.get("scope", "window") == setting.scope


def test_vs_code_sends_every_setting_that_it_has() -> None:
    """The list in the extension names the settings of the server, but for those that it turns into others."""
    source = (ROOT / "client-vscode" / "src" / "settings.ts").read_text("utf-8")
    listed = re.search(r"SERVER_SETTINGS = \[([^\]]*)\]", source)
    assert listed is not None

    names = {f"dovetail.{name}" for name in re.findall(r'"([^"]+)"', listed[1])}

    assert names == {property_name(setting) for setting in IN_VS_CODE} - {"dovetail.enabled"}


def test_vs_code_knows_every_language_with_a_grammar() -> None:
    """Completions are on by default in all of them."""
    assert properties()["dovetail.languages"]["default"] == dict.fromkeys(identifiers(), True)
