"""Clients of other programs in a real editor, and a team's host with the embedded model that they ask."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import pytest
from tests.end_to_end.neovim.editor import PlainEditor, find_neovim
from tests.load.loaded_host import configuration
from tests.team.demo import host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_HERE = Path(__file__).resolve().parent

KEY = "alice"
"""The key that the host takes."""

_TOOLS = Path(os.environ.get("DOVETAIL_E2E_TOOLS") or platformdirs.user_cache_path("dovetail-e2e"))
_NEOVIM = find_neovim("forky", lambda version: version >= (0, 11))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder as those of an editor; the hook gets the tests of all folders."""
    for item in items:
        if item.path.is_relative_to(_HERE):
            item.add_marker(pytest.mark.editor)


@pytest.fixture(name="address", scope="session")
def _address() -> Iterator[str]:
    """Return the address of a host that asks for a key."""
    with host(configuration(1, [KEY])) as (address, _):
        yield address


@pytest.fixture(name="neovim")
def _neovim(tmp_path: Path) -> Iterator[Callable[[str, str], PlainEditor]]:
    """Return a function that starts a Neovim with one plugin of others and Lua code; each is ended after the test."""
    if _NEOVIM is None:
        pytest.skip("there is no Neovim; `make neovim` unpacks one")
    program = _NEOVIM
    editors: list[PlainEditor] = []

    def start(plugin: str, settings: str) -> PlainEditor:
        folder = _TOOLS / "clients" / plugin
        if not folder.is_dir():
            pytest.skip(f"{plugin} is not at {folder}; `make e2e` fetches it where GitHub can be reached")
        editors.append(PlainEditor(program, tmp_path, f"vim.opt.runtimepath:prepend([[{folder}]])\n{settings}\n"))
        return editors[-1]

    yield start
    for editor in editors:
        editor.close()
