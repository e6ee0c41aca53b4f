"""A cache file is named by everything that decides what it holds, the code first of all."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dovetail
from dovetail.grammar import disk_cache, language_cache
from dovetail.grammar.disk_cache import code_digest, is_made_elsewhere, making
from dovetail.masking import class_cache

PACKAGE = Path(dovetail.__file__).parent


def imported(path: Path) -> set[Path]:
    """Return the files of the package that a file imports when it runs."""
    found = set()
    typing_only: set[ast.AST] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            typing_only |= {inner for statement in node.body for inner in ast.walk(statement)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node not in typing_only and (node.module or "").startswith("dovetail."):
            place = PACKAGE.joinpath(*(node.module or "").split(".")[1:])
            choices = [place.with_suffix(".py"), *(place / f"{alias.name}.py" for alias in node.names)]
            found |= {choice for choice in choices if choice.is_file()}
    return found


def all_imported(*names: str) -> set[str]:
    """Return the folders of all files that some files import, directly or through others, their own included."""
    seen = {PACKAGE / name for name in names}
    work = list(seen)
    while work:
        fresh = imported(work.pop()) - seen
        seen |= fresh
        work += fresh
    return {path.relative_to(PACKAGE).parts[0] for path in seen}


def test_the_digest_of_code_changes_with_any_file_however_deep(tmp_path: Path) -> None:
    """A file in a folder inside a folder counts, its name counts, and other folders do not."""
    code = tmp_path / "stage" / "inner" / "module.py"
    code.parent.mkdir(parents=True)
    other = tmp_path / "other" / "module.py"
    other.parent.mkdir()

    def digest() -> bytes:
        code_digest.cache_clear()
        return code_digest("stage", package=tmp_path)

    digests = [digest()]
    code.write_text("x = 1\n", encoding="utf-8")
    digests.append(digest())
    code.write_text("x = 2\n", encoding="utf-8")
    digests.append(digest())
    code.rename(code.with_name("renamed.py"))
    digests.append(digest())
    assert len(set(digests)) == 4

    other.write_text("x = 3\n", encoding="utf-8")
    assert digest() == digests[-1]
    code_digest.cache_clear()


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("grammar/compiled.py", "grammar/description.py", "grammar/reading.py", "lexing/checking.py"), language_cache),
        (("masking/classify.py", "masking/token_texts.py", "masking/alphabet.py"), class_cache),
    ],
    ids=["languages", "token classes"],
)
def test_the_digest_covers_all_code_that_decides(names: tuple[str, ...], code: object) -> None:
    """All code that the maker of a cached value imports is in the digest of its name."""
    assert all_imported(*names) <= set(code.CODE)  # type: ignore[attr-defined]


def test_the_reader_of_imports_sees_them() -> None:
    """Imports are followed from file to file, those for types alone are not."""
    assert {"grammar", "lexing", "automata", "masking"} <= all_imported("masking/class_cache.py")
    assert "quotient" not in all_imported("lexing/lexer.py")
    assert all_imported("grammar/disk_cache.py") == {"grammar"}
    assert Path(disk_cache.__file__) in imported(PACKAGE / "masking" / "class_cache.py")


_MAKE = """
import sys
from pathlib import Path
from dovetail.grammar.disk_cache import is_made_elsewhere, making
path = Path(sys.argv[1])
print(is_made_elsewhere(path), flush=True)
with making(path):
    print(path.read_text(), is_made_elsewhere(path))
"""


@pytest.mark.skipif(os.name != "posix", reason="there are no such locks elsewhere")
def test_a_process_waits_for_another_that_makes_the_same_file(tmp_path: Path) -> None:
    """The second one begins when the first one is done, and each knows whether it is another that makes the file."""
    path = tmp_path / "folder" / "language"
    with making(path):
        other = subprocess.Popen([sys.executable, "-c", _MAKE, str(path)], stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        assert not is_made_elsewhere(path)
        path.write_text("whole")

    assert other.communicate()[0] == "whole False\n"
    assert other.returncode == 0
