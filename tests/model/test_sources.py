"""Which files are learnt from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dovetail.model.error import ModelError
from dovetail.model.sources import read_corpus, standard_library

if TYPE_CHECKING:
    from pathlib import Path


def program(name: str) -> str:
    """Return a file that parses, is long enough and does not repeat itself."""
    words = [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "width",
        "height",
        "total",
        "count",
        "first",
        "last",
        "offset",
        "reach",
        "length",
        "index",
    ]
    lines = [f"def {name}_{word}({word}):\n    return {word} * {place}\n" for place, word in enumerate(words)]
    return "\n".join(lines)


def names(folder: Path) -> list[str]:
    corpus = read_corpus([folder])
    return sorted(document.name for document in (*corpus.training, *corpus.held_out))


def test_files_that_teach_nothing_are_left_out(tmp_path: Path) -> None:
    """Broken files, tables, repetitions, other people's packages and duplicates are not read."""
    (tmp_path / "site-packages").mkdir()
    files = {
        "good.py": program("good"),
        "again.py": program("good"),
        "broken.py": program("broken") + "\ndef (:\n",
        "null.py": program("null") + "\0",
        "table.py": program("table") + "TABLE = '" + "".join(f"\\x{byte:02x}" for byte in range(256)) + "'\n",
        "same.py": "value = 1\n" * 1000,
        "short.py": "x = 1\n",
        "notes.txt": program("notes"),
        "site-packages/other.py": program("other"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "latin.py").write_bytes(program("latin").encode() + b"# \xe9\n")

    assert names(tmp_path) == ["again.py"]


def test_tests_weigh_less(tmp_path: Path) -> None:
    """Of two files of the same length the one below a folder of tests is seen a third as often."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "main.py").write_text(program("abcde"))
    (tmp_path / "tests" / "test_main.py").write_text(program("bcdef"))
    corpus = read_corpus([tmp_path])
    weights = {document.name: document.weight for document in (*corpus.training, *corpus.held_out)}

    assert weights["main.py"] == pytest.approx(3 * weights["tests/test_main.py"])


def test_a_text_is_held_out_wherever_it_lies(tmp_path: Path) -> None:
    """Whether a file is held out depends on its text, not on its place or its neighbours."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    for place in range(150):
        (tmp_path / "one" / f"{place}.py").write_text(program(f"case{place}"))
        if place % 2:
            (tmp_path / "two" / f"other{place}.py").write_text(program(f"case{place}"))
    first, second = read_corpus([tmp_path / "one"]), read_corpus([tmp_path / "two"])
    second_texts = {document.text for document in (*second.training, *second.held_out)}

    held_out = {document.text for document in first.held_out} & second_texts

    assert first.held_out
    assert held_out == {document.text for document in second.held_out}
    assert first.digest != second.digest


def test_nothing_to_learn_from_is_a_sentence(tmp_path: Path) -> None:
    """A missing folder and an empty one are refused, each with what to do."""
    with pytest.raises(ModelError, match=r"There is no folder .*: name one that exists"):
        read_corpus([tmp_path / "none"])
    with pytest.raises(ModelError, match="hold no Python file"):
        read_corpus([tmp_path])


def test_standard_library_is_there() -> None:
    """The default sources are the modules that this interpreter imports."""
    assert (standard_library() / "argparse.py").is_file()
