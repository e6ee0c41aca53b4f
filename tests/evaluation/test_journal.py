"""Journals: nothing that was kept is lost, nothing half-written is taken for a result."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.evaluation.records import record, setup

from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.journal import Journal, read_journals
from dovetail.evaluation.setup import Setup

if TYPE_CHECKING:
    from pathlib import Path


def kept(folder: Path, count: int, cases: int = 4) -> Path:
    """Keep the first records of an experiment, and return the journal's path."""
    journal = Journal(folder, setup(cases=cases))
    for case in range(count):
        journal.append(record(case))
    journal.close()
    return journal.path


def test_what_was_kept_is_read_again(tmp_path: Path) -> None:
    """Setup and records come back as they were."""
    kept(tmp_path, 4)

    found = read_journals(tmp_path)

    assert found["boundary"].setup == setup(cases=4)
    assert found["boundary"].records == [record(case) for case in range(4)]
    assert found["boundary"].finished


@pytest.mark.parametrize("torn", range(1, 40, 6))
def test_a_torn_line_is_dropped_and_done_again(tmp_path: Path, torn: int) -> None:
    """Records before the last line stand whatever part of it is missing, and its case is missing."""
    path = kept(tmp_path, 3)
    path.write_bytes(path.read_bytes()[:-torn])

    assert [entry.case for entry in read_journals(tmp_path)["boundary"].records] == [0, 1]
    journal = Journal(tmp_path, setup(cases=4))
    assert (journal.done, journal.missing) == ({0, 1}, [2, 3])
    journal.append(record(2))
    journal.close()
    assert [entry.case for entry in read_journals(tmp_path)["boundary"].records] == [0, 1, 2]


def test_a_torn_first_line_is_a_new_journal(tmp_path: Path) -> None:
    """A run that was stopped before its setup was whole has kept nothing."""
    path = kept(tmp_path, 0)
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])

    Journal(tmp_path, setup(cases=4)).close()

    assert path.read_bytes() == whole


@pytest.mark.parametrize(("change", "said"), [({"seed": 9}, "seed 0, now 9"), ({"model": "other"}, "model scripted")])
def test_another_experiment_is_refused(tmp_path: Path, change: dict[str, object], said: str) -> None:
    """A journal does not go on with another setup, and stays as it is."""
    path = kept(tmp_path, 2)
    before = path.read_bytes()

    with pytest.raises(EvaluationError, match=said):
        Journal(tmp_path, dataclasses.replace(setup(cases=4), **change))  # type: ignore[arg-type]

    assert path.read_bytes() == before


@pytest.mark.parametrize("line", [b"{}\n", b'{"name": 1}\n', b'{"methods": ["none"]}\n'])
def test_another_kind_of_file_is_refused(tmp_path: Path, line: bytes) -> None:
    """A file that holds no set-up is not overwritten, and not read as a result."""
    path = tmp_path / "boundary.1-of-1.jsonl"
    path.write_bytes(line)

    with pytest.raises(EvaluationError, match="something else"):
        Journal(tmp_path, setup())
    with pytest.raises(EvaluationError, match="something else"):
        read_journals(tmp_path)
    assert path.read_bytes() == line


def test_shards_share_the_cases_and_merge(tmp_path: Path) -> None:
    """Each case is missing in one shard, and together they are the experiment."""
    expected = setup(cases=7)
    for shard in (2, 0, 1):
        journal = Journal(tmp_path, expected, shard, 3)
        assert journal.missing == list(range(shard, 7, 3))
        for case in list(journal.missing):
            journal.append(record(case))
        journal.close()
        assert read_journals(tmp_path)["boundary"].finished is (shard == 1)

    assert read_journals(tmp_path)["boundary"].records == [record(case) for case in range(7)]


def test_shards_of_two_experiments_do_not_mix(tmp_path: Path) -> None:
    """Journals of one name with different setups are a mistake that names the difference."""
    Journal(tmp_path, setup(seed=1), 0, 2).close()
    Journal(tmp_path, setup(seed=2), 1, 2).close()

    with pytest.raises(EvaluationError, match="seed 1, now 2"):
        read_journals(tmp_path)


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    """A file in the way of the folder is said with its path."""
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(EvaluationError, match=r"cannot be written .*--output\.$"):
        Journal(tmp_path / "file" / "folder", setup())


FULL = """
import resource, sys
from pathlib import Path
from tests.evaluation.records import record, setup
from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.journal import Journal
journal = Journal(Path(sys.argv[1]), setup(cases=1000))
# The system refuses what goes beyond this, in the middle of a line.
resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))
try:
    for case in range(1000):
        journal.append(record(case))
except EvaluationError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit on the size of files")
def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    """Earlier records are named and stay; the run goes on after them when there is room again."""
    printed = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=True)

    path = tmp_path / "boundary.1-of-1.jsonl"
    assert printed.stderr == ""
    assert path.stat().st_size <= 9000
    whole = path.read_bytes().count(b"\n") - 1
    assert whole > 1
    assert f"the {whole} cases in it are kept" in printed.stdout
    assert printed.stdout.count("\n") == 1
    journal = Journal(tmp_path, setup(cases=1000))
    assert journal.missing[0] == whole
    journal.append(record(whole))
    journal.close()
    assert len(read_journals(tmp_path)["boundary"].records) == whole + 1


def test_a_setup_survives_its_json() -> None:
    """Records are read as they were written."""
    expected = setup(name="other", examples=3)

    assert Setup.from_json(json.loads(json.dumps(expected.to_json()))) == expected
    assert expected.difference(expected) == ""
