"""Faults of the files that are kept between runs: they are made again, and nothing in them is run."""

from __future__ import annotations

import ast
import marshal
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import pytest
from tests.masking.hostile import hostile

import dovetail
from dovetail.grammar.disk_cache import CHECKSUM_SIZE, read_cached, write_cached
from dovetail.masking.mask import Masker

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGE = Path(dovetail.__file__).parent

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has no such owners and modes")


@pytest.fixture(name="cache")
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: folder)
    return folder


def use(cache: Path) -> list[list[int]]:
    """Load a language and the groups of a vocabulary, from the folder or anew, and return what comes of them."""
    language = dovetail.load_language("json")
    masker = Masker(language, hostile(), cache / "vocabularies")
    start = language.quotient("", "]}").start
    states = [start.advance(text) for text in ("", "{", '{"a', '{"a": [1, ')]
    return [masker.mask(state).tolist() for state in states if state is not None]


def kept(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file() and path.suffix != ".lock")


def reads(cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the files from which something is taken when everything is used once more."""
    taken: list[Path] = []

    def noting(path: Path) -> memoryview | None:
        data = read_cached(path)
        if data is not None:
            taken.append(path)
        return data

    monkeypatch.setattr("dovetail.grammar.language_cache.read_cached", noting)
    monkeypatch.setattr("dovetail.masking.class_cache.read_cached", noting)
    use(cache)
    return taken


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut off": lambda data: data[: len(data) // 2],
    "without its last byte": lambda data: data[:-1],
    "with a byte changed": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
    "with more after it": lambda data: data + b"x",
    "of another kind": lambda _: b'{"tree": 1, "type": "O", "count": 1, "start": 0, "checksum": 0}\n[]',
    "nested without end": lambda _: b"[" * 100_000,
    "no text": lambda _: b"\xff\xfe\x00" * 100,
    "marshal without a checksum": lambda _: marshal.dumps({"name": "json"}),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_is_not_what_was_written_is_made_again(cache: Path, damage: str) -> None:
    """Everything works as without the cache whatever is wrong with it, and afterwards it is whole."""
    expected = use(cache)
    whole = {path: path.read_bytes() for path in kept(cache)}
    assert len(whole) > 2
    for path, data in whole.items():
        path.write_bytes(DAMAGES[damage](data))

    assert use(cache) == expected
    assert {path: path.read_bytes() for path in kept(cache)} == whole


def test_files_under_each_others_names_are_made_again(cache: Path) -> None:
    """A file that is whole but was written for something else is not taken for what its name says."""
    expected = use(cache)
    whole = {path: path.read_bytes() for path in kept(cache)}
    for suffix in {path.suffix for path in whole}:
        paths = [path for path in whole if path.suffix == suffix]
        for path, other in zip(paths, [*paths[1:], paths[0]], strict=True):
            path.write_bytes(whole[other])

    assert use(cache) == expected
    assert {path: path.read_bytes() for path in kept(cache)} == whole


@POSIX
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_not_read(cache: Path, mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made again, as one that nobody else may write."""
    expected = use(cache)
    for path in kept(cache):
        path.chmod(mode)

    assert reads(cache, monkeypatch) == []
    assert use(cache) == expected
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept(cache)} == {0o600}


@POSIX
def test_a_file_of_another_user_is_not_read(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is one that somebody else owns, unless that is root, who could do anything anyway."""
    use(cache)
    owner = kept(cache)[0].stat().st_uid
    assert reads(cache, monkeypatch)

    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)

    # In a container the tests may be root's, and then the files are of the one who is always trusted.
    if owner:
        assert reads(cache, monkeypatch) == []
    for path in kept(cache):
        found = os.stat_result((*path.stat()[:4], 12345, *path.stat()[5:10]))
        with monkeypatch.context() as patch:
            patch.setattr(os, "geteuid", lambda: owner)
            assert read_cached(path) is not None
            patch.setattr(os, "fstat", lambda _, found=found: found)
            assert read_cached(path) is None


@POSIX
def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(cache: Path) -> None:
    """Nor does a folder; what is no file is not read."""
    expected = use(cache)
    first, second, *_ = kept(cache)
    first.unlink()
    os.mkfifo(first, 0o600)
    second.unlink()
    second.mkdir()

    assert use(cache) == expected


def test_what_is_written_appears_whole(tmp_path: Path) -> None:
    """A file is there with all that it holds or not at all, and no other file is left behind."""
    path = tmp_path / "folder" / "file"

    write_cached(path, (b"one", b"two"))

    data = read_cached(path)
    assert data is not None
    assert bytes(data) == b"onetwo"
    assert path.stat().st_size == CHECKSUM_SIZE + len(data)
    assert kept(tmp_path) == [path]


def test_a_file_that_cannot_take_its_place_is_not_left_behind(tmp_path: Path) -> None:
    """Nothing is written and nothing raised if the name is taken by something that no file replaces."""
    path = tmp_path / "name"
    path.mkdir()

    write_cached(path, (b"data",))

    assert list(tmp_path.rglob("*")) == [path]
    assert read_cached(path) is None


BEGIN = """\
import sys
from pathlib import Path
import platformdirs
platformdirs.user_cache_path = lambda _: Path(sys.argv[1])
from tests.faults.test_cache_faults import use
sys.stdin.readline()
sys.stdout.write(repr(use(Path(sys.argv[1]))))
"""


def test_two_processes_on_one_folder_disturb_each_other_in_nothing(cache: Path, tmp_path: Path) -> None:
    """Both begin without anything at the same time, both are right, and afterwards each file is there once."""
    expected = use(tmp_path / "elsewhere")
    for path in kept(cache):
        path.unlink()
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", BEGIN, str(cache)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
        )
        for _ in range(2)
    ]  # fmt: skip
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()

    assert [process.communicate()[0] for process in processes] == [repr(expected)] * 2
    assert not [path for path in kept(cache) if path.suffix == ".part"]
    before = {path: path.stat().st_mtime_ns for path in kept(cache)}
    assert use(cache) == expected
    assert {path: path.stat().st_mtime_ns for path in kept(cache)} == before


def test_nothing_is_unpickled() -> None:
    """No file of the package imports what can run code while it reads, and torch reads weights alone."""
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"pickle", "shelve", "dill", "joblib", "cloudpickle"} & {name.split(".")[0] for name in names}
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("torch.load", "np.load", "numpy.load"):
                given = {word.arg: ast.unparse(word.value) for word in node.keywords}
                assert given.get("weights_only") == "True" or given.get("allow_pickle") == "False", path
