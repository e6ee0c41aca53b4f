"""The choice of the files to learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dovetail.model.error import ModelError
from dovetail.model.sources import read_corpus, standard_library

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("alpha", "beta", "gamma", "delta", "width", "height", "total", "count", "first", "offset", "reach", "index")


def program(name: str) -> str:
    """Return a file that parses, is long enough and does not repeat itself."""
    lines = [f"def {name}_{word}({word}):\n    return {word} * {place}\n" for place, word in enumerate(WORDS)]
    return "\n".join(lines)


def names(folder: Path) -> list[str]:
    corpus = read_corpus([folder])
    return sorted(document.name for document in (*corpus.training, *corpus.held_out))


def install(folder: Path, name: str, licence: str, files: dict[str, str]) -> None:
    """Write what an installer leaves of a package."""
    information = folder / f"{name}-1.0.dist-info"
    information.mkdir(parents=True)
    lines = ["Metadata-Version: 2.4", f"Name: {name}", "Version: 1.0", licence]
    (information / "METADATA").write_text("\n".join(lines) + "\n")
    (information / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)


def test_files_that_teach_nothing_are_left_out(tmp_path: Path) -> None:
    """Broken files, tables, repetitions, other people's packages, other licences and copies are not read."""
    (tmp_path / "site-packages").mkdir()
    files = {
        "good.py": program("good"),
        "good2.py": program("good").replace("gamma", "delta"),
        "broken.py": program("broken") + "\ndef (:\n",
        "null.py": program("null") + "\0",
        "table.py": program("table") + "TABLE = '" + "".join(f"\\x{byte:02x}" for byte in range(256)) + "'\n",
        "same.py": "value = 1\n" * 1000,
        "short.py": "x = 1\n",
        "free.py": "# Under the GNU General Public License.\n" + program("free"),
        "notes.txt": program("notes"),
        "site-packages/other.py": program("other"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "latin.py").write_bytes(program("latin").encode() + b"# \xe9\n")

    assert len(names(tmp_path)) == 1
    assert names(tmp_path)[0].startswith("good")


@pytest.mark.parametrize(
    "head",
    [
        "# This Source Code Form is subject to the terms of the Mozilla Public\n# License, v. 2.0.\n",
        "# SPDX-License-Identifier: GPL-3.0-or-later\n",
        '"""Under the GNU Lesser\n   General Public License."""\n',
    ],
)
def test_a_licence_is_read_however_its_lines_break(head: str, tmp_path: Path) -> None:
    """A file that names a licence which asks for more is not learnt from."""
    (tmp_path / "kept.py").write_text("# SPDX-License-Identifier: MIT\n" + program("kept"))
    (tmp_path / "other.py").write_text(head + program("quite_another"))

    assert names(tmp_path) == ["kept.py"]


def test_what_is_held_out_is_of_use(tmp_path: Path) -> None:
    """Something else is held out if all that the names would hold out is left out."""
    for number in range(9):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name in ("one", "two", f"short{number}"):
            (folder / f"{name}.py").write_text("x = 1\n" if name.startswith("short") else program(f"{name}_{name}"))
        corpus = read_corpus([folder])

        assert {document.name for document in (*corpus.training, *corpus.held_out)} == {"one.py", "two.py"}
        assert len(corpus.held_out) == 1


def test_tests_weigh_less(tmp_path: Path) -> None:
    """Of two files of the same length the one below a folder of tests is seen a third as often."""
    (tmp_path / "one" / "tests").mkdir(parents=True)
    (tmp_path / "one" / "main.py").write_text(program("abcde"))
    (tmp_path / "one" / "tests" / "test_main.py").write_text(program("vwxyz"))
    (tmp_path / "two.py").write_text(program("other"))
    corpus = read_corpus([tmp_path])
    weights = {document.name: document.weight for document in (*corpus.training, *corpus.held_out)}

    assert weights["one/main.py"] == pytest.approx(3 * weights["one/tests/test_main.py"])


def test_packages_are_held_out_whole(tmp_path: Path) -> None:
    """Files of a package are together, and whether it is held out depends on its name alone."""
    for folder in ("here", "there"):
        for number in range(60):
            if folder == "here" or number % 2:
                place = tmp_path / folder / f"package{number}"
                place.mkdir(parents=True)
                for file in ("one", "two"):
                    (place / f"{file}.py").write_text(program(f"{folder}{number}{file}"))
    here, there = read_corpus([tmp_path / "here"]), read_corpus([tmp_path / "there"])

    held_out = {document.package for document in here.held_out}

    assert held_out
    assert not held_out & {document.package for document in here.training}
    assert here.held_out_packages == sorted(held_out)
    assert len(here.held_out) == 2 * len(held_out)
    packages = {document.package for document in (*there.training, *there.held_out)}
    assert set(there.held_out_packages) == held_out & packages
    assert here.digest != there.digest


def test_a_copy_of_what_is_held_out_is_not_learnt_from(tmp_path: Path) -> None:
    """A held-out package that lies in another one too is dropped from the other."""
    for number in range(40):
        place = tmp_path / f"package{number}"
        place.mkdir(parents=True)
        (place / "own.py").write_text(program(f"own{number}"))
    (held_out,) = read_corpus([tmp_path]).held_out_packages[:1]
    for number in range(40):
        if f"package{number}" != held_out:
            (tmp_path / f"package{number}" / "vendored.py").write_text((tmp_path / held_out / "own.py").read_text())
    corpus = read_corpus([tmp_path])

    assert held_out in corpus.held_out_packages
    assert not [document.name for document in corpus.training if document.name.endswith("vendored.py")]


def test_named_packages_are_held_out(tmp_path: Path) -> None:
    """A package that is named is held out with the copies of its files, however the name is spelt."""
    for name in ("my_Package", *(f"package{number}" for number in range(20))):
        place = tmp_path / name
        place.mkdir()
        (place / "own.py").write_text(program(f"own{name}"))
    (tmp_path / "package3" / "copy.py").write_text(program("ownmy_Package"))
    before, after = read_corpus([tmp_path]), read_corpus([tmp_path], kept_out=["My.package", "unknown"])

    assert set(after.held_out_packages) == {*before.held_out_packages, "my_Package"}
    assert not [document.name for document in after.training if document.name.endswith("copy.py")]


def test_something_is_held_out_where_there_is_more_than_one(tmp_path: Path) -> None:
    """Of two packages one is held out; of one package's files, one; a single file is learnt from."""
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "a.py").write_text(program("a"))
    assert [len(part) for part in (read_corpus([tmp_path]).training, read_corpus([tmp_path]).held_out)] == [1, 0]

    (tmp_path / "package" / "b.py").write_text(program("b"))
    assert [len(part) for part in (read_corpus([tmp_path]).training, read_corpus([tmp_path]).held_out)] == [1, 1]

    (tmp_path / "other.py").write_text(program("c"))
    corpus = read_corpus([tmp_path])
    assert {document.package for document in corpus.training} != {document.package for document in corpus.held_out}


def test_installed_packages_come_with_their_licences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By default the standard library and the permissively licensed packages beside it are read, and it is noted."""
    library, beside = tmp_path / "library", tmp_path / "library" / "site-packages"
    library.mkdir()
    for number in range(4):
        (library / f"module{number}.py").write_text(program(f"module{number}"))
    install(beside, "free", "License-Expression: MIT", {"free/__init__.py": program("free"), "free/data.txt": "x"})
    install(beside, "copyleft", "License: GPL", {"copyleft.py": program("copyleft")})
    (beside / "unknown.py").write_text(program("unknown"))
    monkeypatch.setattr(
        "dovetail.model.sources.sysconfig.get_path", {"stdlib": str(library), "purelib": str(beside)}.get
    )

    corpus = read_corpus()

    found = {document.name for document in (*corpus.training, *corpus.held_out)}
    assert found == {"free/__init__.py", *(f"module{number}.py" for number in range(4))}
    assert corpus.licences == {"Python": "PSF-2.0", "free 1.0": "MIT"}
    assert corpus.left_out == ("copyleft",)


def test_no_more_is_read_than_is_seen(tmp_path: Path) -> None:
    """Of a large folder a part is read, the same one every time."""
    for number in range(30):
        (tmp_path / f"module{number}.py").write_text(program(f"module{number}"))
    size = len(program("module10"))
    whole, some, again = read_corpus([tmp_path]), read_corpus([tmp_path], 5 * size), read_corpus([tmp_path], 5 * size)

    assert len(some.training) in (5, 6)
    assert some == again
    assert len(whole.training) > 20
    assert some.held_out_packages == whole.held_out_packages


def test_nothing_to_learn_from_is_a_sentence(tmp_path: Path) -> None:
    """A missing folder, an empty one and one without a usable file are refused, each with what to do."""
    with pytest.raises(ModelError, match=r"There is no folder .*: name one that exists"):
        read_corpus([tmp_path / "none"])
    with pytest.raises(ModelError, match="hold no Python file"):
        read_corpus([tmp_path])
    (tmp_path / "broken.py").write_text(program("broken") + "\ndef (:\n")
    with pytest.raises(ModelError, match="hold no Python file"):
        read_corpus([tmp_path])


def test_standard_library_is_there() -> None:
    """The default sources are the modules that this interpreter imports."""
    assert (standard_library() / "argparse.py").is_file()
