"""The examples in docstrings and documents run, and print what they say."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import dovetail
from dovetail.__main__ import main

PACKAGE = Path(dovetail.__file__).parent
ROOT = PACKAGE.parents[1]
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def modules_with_examples() -> list[str]:
    """Return the modules whose text holds an example."""
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]
    return [".".join(["dovetail", *path.relative_to(PACKAGE).with_suffix("").parts]) for path in paths]


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_docstrings(name: str) -> None:
    """Every `>>>` prints what stands below it."""
    module = importlib.import_module(name.removesuffix(".__init__"))

    results = doctest.testmod(module, optionflags=doctest.ELLIPSIS)

    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize(
    "path",
    [ROOT / "docs" / "library.md", ROOT / "server" / "ARCHITECTURE.md"],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_the_python_of_documents_runs_as_pasted(path: Path) -> None:
    """Each snippet of a document runs by itself, as a reader would paste it."""
    snippets = _PYTHON.findall(path.read_text(encoding="utf-8"))

    assert snippets
    for snippet in snippets:
        exec(compile(snippet, str(path), "exec"), {"__name__": "__main__"})


def test_the_terminal_of_the_quick_start_shows_what_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`dovetail check` over the examples prints exactly what the page shows below it."""
    page = (ROOT / "docs" / "quick-start.md").read_text("utf-8")
    shown = re.search(r"^\$ dovetail (check .*)\n((?:.+\n)+)\n", page, re.MULTILINE)
    assert shown is not None
    monkeypatch.chdir(ROOT)

    code = main(shown[1].split())

    assert code == 1
    assert capsys.readouterr().out == shown[2]
