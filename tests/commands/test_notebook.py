"""`dovetail check` over notebooks: each cell of code is read by itself."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.commands.check_command import said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def code(*lines: str, **metadata: object) -> dict[str, Any]:
    """Return a cell of code."""
    return {"cell_type": "code", "metadata": metadata, "outputs": [], "source": [f"{line}\n" for line in lines]}


TEXT = {"cell_type": "markdown", "metadata": {}, "source": ["if x\n"]}


def written(path: Path, cells: Sequence[dict[str, Any]], kernel: str | None = "python") -> Path:
    """Write a notebook and return its path."""
    metadata = {} if kernel is None else {"kernelspec": {"language": kernel}}
    path.write_text(json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1))
    return path


@pytest.fixture(name="book")
def _book(tmp_path: Path) -> Path:
    return written(tmp_path / "a.ipynb", [TEXT, code("x = 1"), code("x = 2", "if x", "    y"), code("y = (", "", "")])


def test_people_read_the_cell_and_the_place_in_it(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All cells count, as one sees them; lines and columns are those of the cell."""
    found, out, err = said(capsys, book)

    assert (found, err) == (1, "")
    assert out.splitlines() == [
        f"{book}:cell 3:2:5: expected `:` at the end of this line",
        "    2 | if x",
        "      |     ^",
        f"{book}:cell 4:1:5: `(` is never closed",
        "    1 | y = (",
        "      |     ^",
        "1 of 1 file does not fit.",
    ]


def test_programs_read_the_same(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON has the number of the cell; where places are those of the file, the message says the place in the cell."""
    faults = json.loads(said(capsys, "--json", book)[1])["faults"]
    places = [(each["cell"], each["line"], each["column"], each["offset"], each["end_offset"]) for each in faults]
    assert places == [(3, 2, 5, 10, 10), (4, 1, 5, 4, 5)]

    says = "cell 4:1:5: `(` is never closed"
    commands = said(capsys, "--format", "github", book)[1].splitlines()
    assert commands[1] == f"::error file={book},title=dovetail::{says}"

    (run,) = json.loads(said(capsys, "--format", "sarif", book)[1])["runs"]
    [_, result] = run["results"]
    assert result["message"]["text"] == says
    [place] = result["locations"]
    assert place["logicalLocations"] == [{"name": "cell 4"}]
    assert "region" not in place["physicalLocation"]


@pytest.mark.parametrize(
    "cell",
    [
        code("%matplotlib inline", "!pip install \\", "    numpy", "x = !ls", "a, b = %who", "x.y?", "?x", "x??"),
        code("%%bash", "if x"),
        code("await f()", "async with x:", "    pass"),
        code("SELECT 1 FROM x", vscode={"languageId": "sql"}),
        code("if x:", "    !ls", "y = x \\", "% 2"),
        {"cell_type": "raw", "source": "if x"},
        {"cell_type": "code", "source": "x = 1"},
        code(),
    ],
)
def test_what_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str], cell: dict[str, Any]) -> None:
    """Commands to the notebook, cells in another language, and `await` at the top are no mistakes."""
    assert said(capsys, written(tmp_path / "a.ipynb", [cell])) == (0, "1 file fits.\n", "")


@pytest.mark.parametrize("cell", [code("%%time", "if x"), code("x = (1", "!ls"), code("!ls", "print 1")])
def test_code_around_commands_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], cell: dict[str, Any]) -> None:
    """A command hides no mistake beside it."""
    assert said(capsys, written(tmp_path / "a.ipynb", [cell]))[0] == 1


def test_the_language_is_that_of_the_kernel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without one it is Python; one without a grammar, or whose cells are no files, is said if the file is named."""
    cells = [code("const x: number = await f()")]
    assert said(capsys, written(tmp_path / "a.ipynb", cells, "typescript"))[0] == 0
    assert said(capsys, written(tmp_path / "a.ipynb", cells, None))[0] == 1
    other = written(tmp_path / "b.ipynb", cells, "R")
    sentence = f"{other}: there is no grammar for r, the language of this notebook.\n"
    assert said(capsys, other) == (2, "", sentence)
    assert said(capsys, tmp_path)[0] == 1
    go = written(tmp_path / "c.ipynb", cells, "go")
    assert said(capsys, go) == (2, "", f"{go}: a cell of Go is no whole file, so it cannot be checked.\n")


def test_a_folder_with_notebooks(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are found as other files are, unless a pattern leaves them out or their folder is hidden."""
    (book.parent / "b.py").write_text("x = 1\n")
    (book.parent / ".ipynb_checkpoints").mkdir()
    written(book.parent / ".ipynb_checkpoints" / "a.ipynb", [code("if x")])

    assert said(capsys, book.parent)[1].endswith("1 of 2 files does not fit.\n")
    assert said(capsys, book.parent, "--exclude", "*.ipynb") == (0, "1 file fits.\n", "")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"cells": [\n', "the notebook is broken JSON at line 2, column 1: Expecting value."),
        ("[]", "the notebook has no list `cells`; open it in Jupyter and save it again."),
        ('{"worksheets": []}', "the notebook has no list `cells`; open it in Jupyter and save it again."),
    ],
)
def test_a_broken_notebook(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str) -> None:
    """It is one sentence, and the other files are checked all the same."""
    book = tmp_path / "a.ipynb"
    book.write_text(text)
    (tmp_path / "b.py").write_text("x = 1\n")

    assert said(capsys, tmp_path) == (2, "1 file fits.\n", f"{book}: {says}\n")


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "",
        "[" * 100_000,
        '{"cells": [1, {"cell_type": "code"}, {"cell_type": "code", "source": 1}]}',
        '{"cells": [], "metadata": {"kernelspec": 1, "language_info": {"name": ["x"]}}}',
        f'{{"cells": [], "nbformat": {"9" * 5000}}}',
        r'{"cells": [{"cell_type": "code", "source": "x = \"\ud800\""}]}',
    ],
    ids=range(7),
)
def test_strange_values(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Anything but a cell of code is passed over; a text that is no notebook at all is one sentence."""
    book = tmp_path / "a.ipynb"
    book.write_text(text)

    found, out, err = said(capsys, book)

    assert (found, out, err.count("\n")) in {(0, "1 file fits.\n", 0), (2, "", 1)}


def test_standard_input(book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook may come from standard input, if its name says what it is."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(book.read_bytes())))

    assert said(capsys, "-", "--stdin-filename", "b.ipynb")[1].startswith("b.ipynb:cell 3:2:5: ")


def test_the_version_is_that_of_the_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As for files, a project file or an option chooses it."""
    book = written(tmp_path / "a.ipynb", [code("match x:", "    case 1:", "        pass")])

    assert said(capsys, book)[0] == 0
    assert "`match` needs Python 3.10" in said(capsys, book, "--target", "3.9")[1]
    (tmp_path / "pyproject.toml").write_text('[project]\nrequires-python = ">=3.9"\n')
    assert "Python is read as 3.9" in said(capsys, book)[1]
