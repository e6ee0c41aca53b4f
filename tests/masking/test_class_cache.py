"""The classes of a vocabulary that are kept on disk are those that were made, or none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.masking.hostile import hostile, vocabulary

import dovetail
from dovetail.grammar.compiled import Layout
from dovetail.grammar.tables import build_tables
from dovetail.masking.class_cache import ClassCache
from dovetail.masking.mask import Masker

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENT = '{"a": [1, '


@pytest.fixture(name="language", scope="module")
def _language() -> dovetail.Language:
    """Return JSON, whose vocabularies are grouped fast."""
    return dovetail.load_language("json")


def masks(language: dovetail.Language, folder: Path | None) -> list[list[int]]:
    """Return the masks along a document."""
    masker = Masker(language, hostile(), folder)
    quotient = language.quotient("", "]}")
    states = [quotient.start.advance(DOCUMENT[:place]) for place in range(len(DOCUMENT))]
    return [masker.mask(state).tolist() for state in states if state is not None]


def files(folder: Path) -> list[Path]:
    """Return what is kept."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_is_kept_is_what_was_made(language: dovetail.Language, tmp_path: Path) -> None:
    """Groups read from disk give the masks that fresh ones give, and are not written again."""
    fresh = masks(language, tmp_path)
    kept = {path: path.stat().st_mtime_ns for path in files(tmp_path)}

    assert kept
    assert masks(language, tmp_path) == fresh
    assert {path: path.stat().st_mtime_ns for path in files(tmp_path)} == kept


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_made_again(language: dovetail.Language, tmp_path: Path, share: float) -> None:
    """However much of a file is there, the masks are right, and afterwards the file is whole."""
    fresh = masks(language, tmp_path)
    whole = {path: path.read_bytes() for path in files(tmp_path)}
    for path, data in whole.items():
        path.write_bytes(data[: int(len(data) * share)])

    assert masks(language, tmp_path) == fresh
    assert {path: path.read_bytes() for path in files(tmp_path)} == whole


def test_a_changed_byte_is_noticed(language: dovetail.Language, tmp_path: Path) -> None:
    """A file with any byte of another value, or with more bytes, is made again."""
    fresh = masks(language, tmp_path)
    whole = {path: path.read_bytes() for path in files(tmp_path)}
    for number, (path, data) in enumerate(whole.items()):
        place = len(data) * number // len(whole)
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :] + b"\0" * (number % 2))

    assert masks(language, tmp_path) == fresh


def test_files_of_another_vocabulary_are_left_alone(language: dovetail.Language, tmp_path: Path) -> None:
    """Two vocabularies in one folder do not get in each other's way."""
    fresh = masks(language, tmp_path)
    other = Masker(language, vocabulary([b"{", b"[", b"x", None]), tmp_path)

    assert other.mask(language.quotient("", "").start).tolist() == [0b011]
    assert masks(language, tmp_path) == fresh


@pytest.mark.parametrize(
    "change",
    [
        {"deepest": 3},
        {"errors": frozenset({0})},
        {"automata": []},
        {"modes": []},
        {"layout": Layout(0, 0, 1, 2, 3, -1, 8, 0)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_lexer_has_files_of_its_own(
    language: dovetail.Language, tmp_path: Path, change: dict[str, object]
) -> None:
    """Each part of a language that decides how text is read is part of the folder's name."""
    lexer = copy(language.machine.lexer)
    lexer.compiled = replace(lexer.compiled, **change)  # type: ignore[arg-type]

    assert (
        ClassCache(tmp_path, lexer, hostile()).folder != ClassCache(tmp_path, language.machine.lexer, hostile()).folder
    )


def test_what_only_the_parser_reads_shares_the_files(language: dovetail.Language, tmp_path: Path) -> None:
    """Tables, and the texts of terminals, decide nothing about the classes."""
    lexer = copy(language.machine.lexer)
    lexer.compiled = replace(lexer.compiled, literals=[], tables=build_tables(lexer.compiled.productions))

    assert (
        ClassCache(tmp_path, lexer, hostile()).folder == ClassCache(tmp_path, language.machine.lexer, hostile()).folder
    )


def test_classes_of_another_number_of_texts_are_not_read(language: dovetail.Language, tmp_path: Path) -> None:
    """A file that is whole, but holds more or fewer classes than there are texts, is none."""
    masker = Masker(language, hostile(), tmp_path)
    masker.mask(language.quotient("", "").start)
    start = next(iter(masker._tables))
    count = len(masker.texts.whole)

    assert masker.class_cache.read("tokens", start, count) is not None
    assert masker.class_cache.read("tokens", start, count - 1) is None
    assert masker.class_cache.read("tokens", start, count + 1) is None


def test_a_folder_that_refuses(language: dovetail.Language, tmp_path: Path) -> None:
    """Masks are made also if nothing can be written."""
    occupied = tmp_path / "occupied"
    occupied.write_text("a file where a folder should be", encoding="utf-8")

    assert masks(language, occupied) == masks(language, tmp_path / "free")
    assert occupied.read_text(encoding="utf-8") == "a file where a folder should be"


SCRIPT = """
import json, sys
from pathlib import Path
import dovetail
from tests.masking.test_class_cache import masks
print(json.dumps(masks(dovetail.load_language("json"), Path(sys.argv[1]))))
"""


def test_two_processes_at_once(language: dovetail.Language, tmp_path: Path) -> None:
    """Processes that make the same files side by side all get the same masks, and leave whole files."""
    commands = [[sys.executable, "-c", SCRIPT, str(tmp_path)]] * 2
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        for command in commands
    ]
    printed = [json.loads(process.communicate(timeout=60)[0]) for process in running]

    assert printed == [masks(language, tmp_path)] * 2
    assert [path.suffix for path in files(tmp_path)] == [".classes"] * len(files(tmp_path))
