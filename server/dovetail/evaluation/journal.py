"""Records on disk, one line each, after a line with the setup: what was appended stays, whatever happens then.

A run that is interrupted goes on after the last whole line; a line that was torn is dropped, and its case is done
again. Several runs may share the cases, each with a journal of its own in the same folder.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.experiment import Experiment
from dovetail.evaluation.setup import Setup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAME = re.compile(r"(?P<name>.+)\.(?P<shard>\d+)-of-(?P<shards>\d+)\.jsonl")


class AnyRecord(Protocol):
    """A record of one case, in any kind of experiment."""

    @property
    def case(self) -> int:
        """The number of the case."""

    @property
    def file(self) -> str:
        """The name of its file."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""


R = TypeVar("R", bound=AnyRecord)
R_co = TypeVar("R_co", bound=AnyRecord, covariant=True)


class AnySetup(Protocol[R_co]):
    """The set-up of an experiment, in any kind of experiment; it reads the records of its kind."""

    KIND: ClassVar[str]
    """The value of `experiment` in `to_json`; one without is of the kind `gaps`."""

    @property
    def name(self) -> str:
        """The experiment's name in the folder."""

    @property
    def cases(self) -> int:
        """The number of its cases."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Self:
        """Return the set-up; raises KeyError, TypeError or ValueError for other values."""

    @classmethod
    def read_record(cls, plain: dict[str, Any]) -> R_co:
        """Return a record of such an experiment; raises KeyError, TypeError or ValueError for other values."""

    def difference(self, other: Self) -> str:
        """Return the first difference from another set-up, for people to read; empty if they are equal."""


S = TypeVar("S", bound=AnySetup[Any])


class Journal(Generic[R]):
    """The records of one run: the cases whose number leaves `shard` when divided by `shards`."""

    def __init__(self, folder: Path, setup: AnySetup[R], shard: int = 0, shards: int = 1) -> None:
        """Open a journal, or go on with the one that is there.

        Raises EvaluationError where it cannot be written, and where it is of another experiment.
        """
        assert 0 <= shard < shards
        self.path = folder / f"{setup.name}.{shard + 1}-of-{shards}.jsonl"
        self.done: set[int] = set()
        """The cases that need not be done again."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            whole = self._read(setup)
            # Unbuffered, so that nothing is left to be written when writing has failed.
            self._file = self.path.open("ab", buffering=0)
            self._file.truncate(whole)
        except OSError as error:
            raise EvaluationError(_refusal(self.path, error, len(self.done))) from None
        if not whole:
            self._append(setup.to_json())
        self.missing = [number for number in range(shard, setup.cases, shards) if number not in self.done]
        """The cases that this run has still to do."""

    def append(self, record: R) -> None:
        """Keep a record; raises EvaluationError where it cannot be written."""
        self._append(record.to_json())
        self.done.add(record.case)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _append(self, value: dict[str, Any]) -> None:
        line = json.dumps(value).encode() + b"\n"
        try:
            while line:
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise EvaluationError(_refusal(self.path, error, len(self.done))) from None

    def _read(self, setup: AnySetup[R]) -> int:
        """Take note of what is there; return how many bytes of it are whole."""
        if not self.path.exists():
            return 0
        whole = 0
        with self.path.open("rb") as file:
            for line in file:
                value = _value(line)
                if value is None:
                    break
                try:
                    if whole:
                        self.done.add(setup.read_record(value).case)
                    elif difference := setup.difference(setup.from_json(value)):
                        raise EvaluationError(
                            f"{self.path} is of another experiment ({difference}): name another folder with "
                            "--output, or remove it."
                        )
                except (KeyError, TypeError, ValueError):
                    raise EvaluationError(
                        f"{self.path} holds something else than records of this version: name another folder with "
                        "--output, or remove it."
                    ) from None
                whole += len(line)
        return whole


def read_journals(folder: Path) -> dict[str, Experiment]:
    """Return the experiments with gaps in a folder by their names; raises as `read_all` does."""
    return {name: Experiment(setup, records) for name, (setup, records) in read_all(folder, Setup).items()}


def read_all(folder: Path, kind: type[S]) -> dict[str, tuple[S, list[Any]]]:
    """Return the experiments of one kind in a folder by their names, put together from the journals of all runs.

    Raises EvaluationError where journals of one name are of different experiments, and where one cannot be read.
    """
    found: dict[str, tuple[S, dict[int, Any]]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        if _NAME.fullmatch(path.name) is None:
            continue
        try:
            values = _values(path)
            first = next(values, None)
            if first is None or first.get("experiment", Setup.KIND) != kind.KIND:
                continue
            setup = kind.from_json(first)
            known, records = found.setdefault(setup.name, (setup, {}))
            if difference := setup.difference(known):
                raise EvaluationError(
                    f"{path} is of another experiment than the journals beside it ({difference}): remove one of them."
                )
            for value in values:
                record = kind.read_record(value)
                records[record.case] = record
        except OSError as error:
            raise EvaluationError(f"{path}: it cannot be read: {error.strerror or error}.") from None
        except (KeyError, TypeError, ValueError):
            raise EvaluationError(f"{path} holds something else than records of this version: remove it.") from None
    return {name: (setup, [records[case] for case in sorted(records)]) for name, (setup, records) in found.items()}


def _values(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        for line in file:
            value = _value(line)
            if value is None:
                return
            yield value


def _value(line: bytes) -> dict[str, Any] | None:
    """Return what a line holds; None if it is torn."""
    if not line.endswith(b"\n"):
        return None
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _refusal(path: Path, error: OSError, kept: int) -> str:
    cases = f"; the {kept} cases in it are kept, and the same command goes on with them" if kept else ""
    return (
        f"{path} cannot be written ({error.strerror or error}){cases}: make room, or name another folder with --output."
    )
