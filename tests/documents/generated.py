"""The parts of documents and manifests that follow from the settings and the grammars.

`python -m tests.documents.generated` writes them; `test_generated.py` compares them with what is committed.
"""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path
from typing import Any

from dovetail.decoding.formats import FORMATS
from dovetail.grammar.library import languages
from dovetail.settings import Setting, declared

ROOT = Path(__file__).parents[2]

SETTINGS = Path("docs/settings.md")
MANIFEST = Path("client-vscode/package.json")
MANIFEST_README = Path("client-vscode/README.md")
LANGUAGES = Path("docs/languages.md")
MODELS = Path("docs/models.md")
HELP = Path("client-neovim/doc/dovetail.txt")
OPTIONS = Path("client-neovim/lua/dovetail/options.lua")

PAGES = (SETTINGS, LANGUAGES, MODELS, MANIFEST, MANIFEST_README, HELP, OPTIONS)

OTHERWISE = frozenset({"disabled_languages", "completion_items", "completion_time_limit"})
"""Settings that VS Code does not have: `dovetail.languages` takes the place of the first; inline completions exist."""


def page(path: Path, text: str) -> str:
    """Return the text of a page with its generated parts as they should be."""
    if path == SETTINGS:
        return between(text, "| setting | default | meaning |", "\n\n", table(setting_rows()))
    if path == LANGUAGES:
        return between(text, "| language | versions | files | compared with |", "\n\n", language_rows())
    if path == MODELS:
        return between(
            text, "| form | the text before the cursor first | the text after it first |", "\n\n", form_rows()
        )
    if path == MANIFEST_README:
        return between(text, "| setting | default | meaning |", "\n\n", table(manifest_rows()))
    if path == MANIFEST:
        on = ", ".join(f'"{identifier}": true' for identifier in identifiers())
        return re.sub(
            r'("dovetail.languages": \{\s+"type": "object",\s+"default": )\{[^}]*\}', rf"\g<1>{{ {on} }}", text
        )
    if path == OPTIONS:  # one to a line: luacheck refuses lines of more than 120 characters
        types = "".join(f"    '{identifier}',\n" for identifier in identifiers())
        return re.sub(r"(?<=\n  filetypes = )\{[^}]*\}", f"{{\n{types}  }}", text)
    types = "{ " + ", ".join(f"'{identifier}'" for identifier in identifiers()) + " }"
    text = re.sub(r"(\*dovetail-filetypes\*\n[^<]*>lua\n        )\{[^}]*\}", rf"\g<1>{types}", text)
    return between(text, "    The settings and their defaults:\n", "\n\nkeymaps ", help_list())


def between(text: str, start: str, end: str, part: str) -> str:
    """Return a text with another part from a first line on, up to the next `end`."""
    begin = text.index(start) + len(start)
    return text[:begin] + "\n" + part + text[text.index(end, begin) :]


def table(rows: list[tuple[str, str, str]]) -> str:
    """Return the lines of a table in Markdown below its header."""
    return "\n".join(["| --- | --- | --- |", *(f"| `{name}` | {default} | {text} |" for name, default, text in rows)])


def language_rows() -> str:
    """Return the table of the languages with a grammar, below its header."""
    rows = ["| --- | --- | --- | --- |"]
    for facts in languages().values():
        numbered = any(version[0].isdigit() for version in facts.versions)
        ends = f"{facts.versions[0]} to {facts.versions[-1]}" if numbered else ", ".join(facts.versions)
        versions = ends or "one"
        oracle = f"`{facts.oracle.call.replace(':', '.')}`" if facts.oracle else "its parser, in the tests"
        rows.append(f"| {facts.title} | {versions} | {', '.join(f'`{end}`' for end in facts.extensions)} | {oracle} |")
    return "\n".join(rows)


def form_rows() -> str:
    """Return the table of the prompts' forms, below its header."""
    rows = [f"| {form.name} | {'yes' if form.psm else 'no'} | {'yes' if form.spm else 'no'} |" for form in FORMATS]
    return "\n".join(["| --- | --- | --- |", *rows])


def setting_rows() -> list[tuple[str, str, str]]:
    """Return name, default and description of every setting."""
    return [(setting.name, shown(setting.default), setting.description) for setting in declared().values()]


def manifest_rows() -> list[tuple[str, str, str]]:
    """Return name, default and description of every property in the configuration of VS Code's manifest."""
    rows = []
    for name, known in properties().items():
        text = known["markdownDescription"] if "markdownDescription" in known else known["description"]
        rows.append((name, shown(known["default"]), " ".join([text, *choices(known)])))
    return rows


def choices(known: dict[str, Any]) -> list[str]:
    """Return the values that a property may have, if they are described."""
    described = zip(known.get("enum", ()), known.get("enumDescriptions", ()), strict=False)
    return [f"`{value}`: {text}" for value, text in described]


def shown(default: object) -> str:
    """Return a default for a table; nothing stands for null."""
    if default is None:
        return ""
    is_number = isinstance(default, int | float) and not isinstance(default, bool)
    return f"{default:,}".removesuffix(".0") if is_number else f"`{json.dumps(default)}`"


def help_list() -> str:
    """Return the settings as a list in Vim's help."""
    entries = []
    for setting in declared().values():
        default = "nil" if setting.default is None else json.dumps(setting.default)
        head = f"      {setting.name} (default {default})"
        body = textwrap.fill(setting.description, 78, initial_indent=" " * 10, subsequent_indent=" " * 10)
        entries.append(f"{head}\n{body}")
    return "\n".join(entries)


def identifiers() -> list[str]:
    """Return the names that editors have for all languages with a grammar."""
    return sorted({identifier for facts in languages().values() for identifier in facts.identifiers})


def properties() -> dict[str, dict[str, Any]]:
    """Return the configuration of VS Code's manifest, property → its schema."""
    manifest = json.loads((ROOT / MANIFEST).read_text("utf-8"))
    return {
        name: known for part in manifest["contributes"]["configuration"] for name, known in part["properties"].items()
    }


def property_name(setting: Setting) -> str:
    """Return the name of a setting in VS Code: `python.target_version` is `dovetail.python.targetVersion`."""
    return "dovetail." + re.sub(r"_(\w)", lambda match: match[1].upper(), setting.name)


def main() -> None:
    """Write all pages."""
    for path in PAGES:
        text = (ROOT / path).read_text("utf-8")
        (ROOT / path).write_text(page(path, text), "utf-8")


if __name__ == "__main__":
    main()
