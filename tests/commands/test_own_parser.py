"""Texts that a language's parser accepts and its compiler refuses."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from dovetail.commands.checking import check_file, check_text
from dovetail.commands.own_parser import find_late_fault, is_accepted
from dovetail.commands.targets import FileToCheck

LATE = [
    ("def total(a):\n    b = a\nreturn b\n", 3, 1, "`return` outside function"),
    ("class A:\n    def f(self):\n        pass\n    return 1\n", 4, 5, "`return` outside function"),
    ("def f():\n    é = await g()\n", 2, 9, "`await` outside async function"),
    ("def f():\r\n    async with a:\r\n        pass\r\n", 2, 5, "`async with` outside async function"),
    ("for a in b:\n    pass\nelse:\n    break\n", 4, 5, "`break` outside loop"),
    ("'ä'; yield 1\n", 1, 6, "`yield` outside function"),
    ("def f(a, a):\n    pass\n", 1, 10, "duplicate argument `a` in function definition"),
    ("def f():\n    print(x)\n    global x\n", 3, 5, "name `x` is used prior to global declaration"),
    ("nonlocal a", 1, 1, "nonlocal declaration not allowed at module level"),
]
PROGRAMS = [
    "def f():\n    return (yield)\n",
    "async def f():\n    async with a: return await b\n",
    "while a:\n    break\nelse:\n    pass\n",
    "x = [a async for a in b]\n" if sys.version_info < (3, 8) else "lambda: (yield)\n",
    "",
]


@pytest.mark.parametrize("target", [None, "3.9"])
@pytest.mark.parametrize(("text", "line", "column", "message"), LATE)
def test_what_the_compiler_refuses_is_reported(
    text: str, line: int, column: int, message: str, target: str | None
) -> None:
    """The place is in characters, the words are CPython's, in texts of every version."""
    checked = check_text(FileToCheck("a.py", "python", target), text)

    (fault,) = checked.faults
    assert (fault.at.line, fault.at.column, fault.at.message) == (line, column, message)
    assert checked.held_back is None
    assert len(checked.excerpts) == 1


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs_are_accepted(text: str) -> None:
    """A text that CPython runs has no fault."""
    assert is_accepted("python", None, text)
    assert check_text(FileToCheck("a.py", "python", None), text).faults == ()


def test_a_broken_text_has_the_reports_of_the_engine() -> None:
    """The compiler adds nothing to a text that the parser refuses."""
    checked = check_text(FileToCheck("a.py", "python", None), "return (\n")

    assert [fault.at.message for fault in checked.faults] == ["`(` is never closed"]
    assert find_late_fault("python", "return (\n") == []


def test_await_stands_alone_in_a_cell(tmp_path: Path) -> None:
    """Notebooks run cells in a function that is asynchronous; `return` has no place there either."""
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
        for source in ("a = await b\n", "return a\n")
    ]
    metadata = {"language_info": {"name": "python"}}
    notebook = tmp_path / "a.ipynb"
    notebook.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}))

    checked = check_file(FileToCheck(str(notebook), "python", None))

    assert [(fault.cell, fault.at.message) for fault in checked.faults] == [(2, "`return` outside function")]


def test_languages_without_a_compiler_have_nothing_late() -> None:
    """JSON's parser says all, and Go has none here."""
    assert find_late_fault("json", "[1]") == []
    assert find_late_fault("go", "package a\n") == []
    assert is_accepted("json", None, "[1]")
    assert not is_accepted("go", None, "package a\n")


def test_verdicts_are_those_of_compileall(tmp_path: Path) -> None:
    """The same files of the library, and of those above, are refused as `python -m compileall` refuses."""
    library = Path(sysconfig.get_path("stdlib"))
    sources = [path.read_bytes() for path in sorted(library.glob("a*.py"))]
    sources += [text.encode() for text, *_ in LATE] + [text.encode() for text in PROGRAMS]
    for number, source in enumerate(sources):
        (tmp_path / f"m{number:03}.py").write_bytes(source)
    run = subprocess.run(
        [sys.executable, "-m", "compileall", "-q", str(tmp_path)], capture_output=True, text=True, check=False
    )

    files = sorted(tmp_path.glob("*.py"))
    refused = [path.name for path in files if check_file(FileToCheck(str(path), "python", None)).faults]

    assert refused == [path.name for path in files if f"'{path}'" in run.stdout]
    assert len(refused) == len(LATE)
