"""The records of a replay: what a case is, and the tapes of its stretches."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any, ClassVar

from dovetail.evaluation.conditions import Conditions
from dovetail.evaluation.replay.cases import Part
from dovetail.evaluation.replay.stretch import Stretch
from dovetail.evaluation.replay.tape import TapeNode
from dovetail.evaluation.setup import engine_digest, weights_digest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from dovetail.decoding.proposer import Proposer
    from dovetail.evaluation.programs import Programs


@dataclass(frozen=True, slots=True)
class Typed:
    """A stretch and its tape."""

    stretch: Stretch
    nodes: tuple[TapeNode, ...]


@dataclass(frozen=True, slots=True)
class ReplayRecord:
    """A case and its tapes."""

    case: int
    file: str
    typed: tuple[Typed, ...]

    @property
    def path(self) -> tuple[str, tuple[Stretch, ...]]:
        """The file and the path in which it was typed."""
        return self.file, tuple(one.stretch for one in self.typed)

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` makes the same record of."""
        typed = [
            {"stretch": one.stretch.to_json(), "nodes": [node.to_json() for node in one.nodes]} for one in self.typed
        ]
        return {"case": self.case, "file": self.file, "typed": typed}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> ReplayRecord:
        """Return the record; raises KeyError, TypeError or ValueError for other values."""
        typed = tuple(
            Typed(Stretch.from_json(one["stretch"]), tuple(map(TapeNode.from_json, one["nodes"])))
            for one in plain["typed"]
        )
        return cls(plain["case"], plain["file"], typed)


@dataclass(frozen=True, kw_only=True)
class ReplaySetup(Conditions):
    """The set-up of a replay. Two runs with equal set-ups have equal numbers, the times apart."""

    KIND: ClassVar[str] = "typing"

    part: Part
    without: tuple[str, ...]
    """The packages of the part that are left out."""
    seed: int
    characters: int
    """About the most characters of a case that are typed."""
    all_thresholds: bool
    """True if the tapes tell what is seen with any threshold."""
    settings: dict[str, Any]
    """The settings of the server that are not the defaults, as users write them."""
    data: str
    """The name of the folder of programs."""
    files: int
    python: str

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` makes the same set-up of."""
        return {**super().to_json(), "part": self.part.value, "without": list(self.without)}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> ReplaySetup:
        """Return the set-up; raises KeyError, TypeError or ValueError for other values."""
        return super().from_json({**plain, "part": Part(plain["part"]), "without": tuple(plain["without"])})

    @classmethod
    def read_record(cls, plain: dict[str, Any]) -> ReplayRecord:
        """Return a record of such an experiment; raises KeyError, TypeError or ValueError for other values."""
        return ReplayRecord.from_json(plain)


def make_replay_setup(
    name: str,
    part: Part,
    without: Sequence[str],
    cases: int,
    seed: int,
    characters: int,
    all_thresholds: bool,
    settings: dict[str, Any],
    programs: Programs,
    proposer: Proposer,
    source: Path | None,
) -> ReplaySetup:
    """Return the set-up of a replay with a model that was loaded from `source`, None for the hub."""
    return ReplaySetup(
        name=name,
        part=part,
        without=tuple(sorted(without)),
        cases=cases,
        seed=seed,
        characters=characters,
        all_thresholds=all_thresholds,
        settings=settings,
        model=proposer.name,
        weights="" if source is None else weights_digest(source),
        data=programs.folder.resolve().name,
        files=len(programs.names),
        digest=programs.digest,
        engine=engine_digest("completer"),
        numbers=proposer.numbers,
        python=platform.python_version(),
        dovetail=metadata.version("dovetail"),
    )
