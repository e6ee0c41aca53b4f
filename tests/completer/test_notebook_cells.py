"""Cells of notebooks: commands among lines of Python."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import pytest
from tests.lsp.client import Client
from tests.oracles.cpython import TARGET, parses

import dovetail
from dovetail.completer.document_cache import DocumentCache
from dovetail.completer.notebook_cells import is_foreign, without_commands
from dovetail.completer.remote import RemoteCompleter
from dovetail.completer.snapshot import Snapshot
from dovetail.grammar.library import languages
from dovetail.lsp.reason_off import reason_off
from dovetail.lsp.server import Server
from dovetail.lsp.switches import Switches
from dovetail.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

KNOWN = languages()["python"].notebook
assert KNOWN is not None
NOTEBOOK = KNOWN

ADDRESS = "vscode-notebook-cell:/home/someone/cells.ipynb#W0sZmlsZQ"


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    return dovetail.load_language("python", target=TARGET)


def cell(text: str) -> Snapshot:
    return Snapshot(ADDRESS, "python", 1, text)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("!pip install numpy\nx = 1\n", "0#ip install numpy\nx = 1\n"),
        ("%matplotlib inline\n", "0#atplotlib inline\n"),
        ("%%time\nx = 1\n", "0#time\nx = 1\n"),
        ("if x:\n    !ls\ny\n", "if x:\n    0#s\ny\n"),
        ("x = 1\r\n!!\r\n%ls\r\n", "x = 1\r\n0#\r\n0#s\r\n"),
        ("x = (a\n% b)\n", "x = (a\n% b)\n"),
        ("x = '''\n%s\n!\n'''\n!ls\n", "x = '''\n%s\n!\n'''\n0#s\n"),
        ("x = a \\\n% b\n", "x = a \\\n% b\n"),
        ("# note\n\n!ls\n", "# note\n\n0#s\n"),
        ("x = )\n!ls\n", "x = )\n0#s\n"),
        ("x = 5 % 3\ny != x\n", "x = 5 % 3\ny != x\n"),
        ("x = (a\n!= b)\n", "x = (a\n!= b)\n"),
        ("a, b = !ls\ny = %who\n", "0# b = !ls\n0#= %who\n"),
        ("x.y?\n?x\nz??\n", "0#y?\n0#\n0#?\n"),
        ("!ls \\\n  -l \\\n\ny = 1\n", "0#s \\\n# -l \\\n\ny = 1\n"),
        ("x = '''\ny?\n'''\n", "x = '''\ny?\n'''\n"),
    ],
)
def test_commands_do_nothing_and_take_as_much_room(language: dovetail.Language, text: str, plain: str) -> None:
    """A command is a statement of as many characters; what only looks like one stays."""
    assert without_commands(language, NOTEBOOK, text, len(text) + 9) == plain
    assert len(plain) == len(text)
    assert parses(plain) is (" )\n" not in text)


def test_nothing_is_known_of_a_command_that_is_being_written(language: dovetail.Language) -> None:
    """The line of the cursor stays what it is, and nothing fits there."""
    text = "!ls\n!pip inst\nx = 1\n"
    offset = text.index(" inst") + 5

    assert without_commands(language, NOTEBOOK, text, offset) == "0#s\n!pip inst\nx = 1\n"
    assert not DocumentCache().document(cell(text), offset).quotient(offset).viable


@pytest.mark.parametrize(
    ("text", "foreign"),
    [("%%bash\nls\n", True), ("\n %%html\n<p>\n", True), ("%%time\nx\n", False), ("x\n%%bash\n", False), ("", False)],
)
def test_a_cell_may_be_a_command(text: str, foreign: bool) -> None:
    """Commands that hand a whole cell on are told from those after which Python comes."""
    assert is_foreign(NOTEBOOK, text) == foreign
    clause = reason_off(cell(text), Settings(), Switches(Settings()))
    assert clause == ("the cell is a command to the notebook, in another language" if foreign else None)
    settings = Settings(notebook_commands={"python": False})
    assert reason_off(cell(text), settings, Switches(settings)) is None


def test_a_place_between_commands_is_as_any_other() -> None:
    """Nothing is left out; in other files, and where it is set, such lines are errors as ever."""
    text = "!ls\nif x:\n    %time y\nz = (\n%pwd\n"
    offset = text.index("(") + 1
    cells, strict = DocumentCache(), DocumentCache()
    strict.settings = Settings(notebook_commands={"python": False})
    quotient = cells.document(cell(text), offset).quotient(offset, tolerant=False)

    assert quotient.start.closing() == ")"
    assert not strict.document(cell(text), offset).quotient(offset, tolerant=False).viable
    file = Snapshot("file:///cells.py", "python", 1, text)
    assert not cells.document(file, offset).quotient(offset, tolerant=False).viable


@pytest.mark.parametrize("commands", [True, False])
async def test_explanations_read_cells_as_the_model_does(tmp_path: Path, commands: bool) -> None:
    """The settings' rules for commands hold in the server's own process as well, which explains."""
    completer = RemoteCompleter([sys.executable, "-m", "tests.faults.scripted_host", str(tmp_path)])
    client = Client(Server(completer, {}))
    await client.begin(options={"model": "well", "python": {"notebook_commands": commands}})
    client.open("!ls\nx = ", uri=ADDRESS)
    await client.loaded()

    place = {"textDocument": {"uri": ADDRESS}, "position": {"line": 1, "character": 4}}
    explained = await client.command(1, "explain", place)

    completer.abandon()
    assert await asyncio.to_thread(client.server.session.end_work, 60)
    assert bool(explained["ignored"]) is not commands
