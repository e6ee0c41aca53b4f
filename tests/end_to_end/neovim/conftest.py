"""The fixture that starts a real Neovim."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.end_to_end.neovim.editor import Editor, find_neovim
from tests.end_to_end.neovim.gap import KEYS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_HERE = Path(__file__).resolve().parent

_NEOVIM = find_neovim("forky", lambda version: version >= (0, 12))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder as those of an editor; the hook gets the tests of all folders."""
    for item in items:
        if item.path.is_relative_to(_HERE):
            item.add_marker(pytest.mark.editor)


@pytest.fixture(name="start")
def _start(tmp_path: Path) -> Iterator[Callable[..., Editor]]:
    """Return a function that starts a Neovim with inline completions; each is ended after the test."""
    if _NEOVIM is None:
        pytest.skip("there is no Neovim 0.12; `make neovim` unpacks one")
    program = _NEOVIM
    editors: list[Editor] = []

    def start(
        options: str = KEYS, *, before: str = "", wrapper: Sequence[str] = (), plugin: Path | None = None
    ) -> Editor:
        editors.append(Editor(program, tmp_path, options, before=before, wrapper=wrapper, plugin=plugin))
        return editors[-1]

    yield start
    for editor in editors:
        editor.close()
