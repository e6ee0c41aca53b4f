"""The set-up of an experiment. Two runs with equal set-ups have equal numbers."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any, ClassVar

from dovetail.evaluation.conditions import Conditions
from dovetail.evaluation.record import Method, Record
from dovetail.evaluation.verdict import LANGUAGE, TARGET
from dovetail.grammar.disk_cache import code_digest
from dovetail.grammar.layers import grammar_folder, read_layers

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.decoding.proposer import Proposer
    from dovetail.evaluation.cuts import DataSet
    from dovetail.evaluation.programs import Programs

_CHUNK = 1 << 20

_STAGES = (
    "vocabulary",
    "automata",
    "grammar",
    "lexing",
    "parsing",
    "suffix",
    "closing",
    "quotient",
    "recovery",
    "engine",
    "masking",
    "model",
    "decoding",
    "evaluation",
)


@dataclass(frozen=True, kw_only=True)
class Setup(Conditions):
    """The conditions of one experiment with gaps."""

    KIND: ClassVar[str] = "gaps"

    dataset: str
    seed: int
    methods: tuple[Method, ...]
    max_tokens: int
    data: str
    """The name of the folder of programs."""
    files: int
    python: str
    examples: int
    """The number of cases that may be shown with their texts."""
    counted: bool
    """True if it is counted in the tables; otherwise only its examples are shown."""
    beams: int = 1
    """The beams of the constrained method; experiments from before there were any had one."""
    language: str = LANGUAGE.name
    target: str | None = TARGET
    """The language and its version; earlier experiments are of the interpreter's."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` makes the same set-up of, without the kind: the first had none."""
        plain = super().to_json()
        del plain["experiment"]
        return {**plain, "methods": [method.value for method in self.methods]}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> Setup:
        """Return the set-up; raises KeyError, TypeError or ValueError for other values."""
        return super().from_json({**plain, "methods": tuple(Method(name) for name in plain["methods"])})

    @classmethod
    def read_record(cls, plain: dict[str, Any]) -> Record:
        """Return a record of such an experiment; raises KeyError, TypeError or ValueError for other values."""
        return Record.from_json(plain)


def make_setup(
    name: str,
    dataset: DataSet,
    cases: int,
    seed: int,
    methods: tuple[Method, ...],
    max_tokens: int,
    programs: Programs,
    proposer: Proposer,
    source: Path | None,
    examples: int,
    *,
    counted: bool = True,
    beams: int = 1,
) -> Setup:
    """Return the setup of an experiment with a model that was loaded from `source`, None for the hub."""
    return Setup(
        name=name,
        dataset=dataset.name,
        cases=cases,
        seed=seed,
        methods=methods,
        max_tokens=max_tokens,
        model=proposer.name,
        weights="" if source is None else weights_digest(source),
        data=programs.folder.resolve().name,
        files=len(programs.names),
        digest=programs.digest,
        engine=engine_digest(language=programs.subject.facts.name),
        numbers=proposer.numbers,
        python=platform.python_version(),
        dovetail=metadata.version("dovetail"),
        examples=examples,
        counted=counted,
        beams=beams,
        language=programs.subject.facts.name,
        target=programs.subject.target,
    )


def engine_digest(*more: str, language: str = LANGUAGE.name) -> str:
    """Return a digest of everything of Dovetail that a text depends on; `more` names further folders."""
    digest = hashlib.sha256(code_digest(*_STAGES, *more))
    beside = grammar_folder() / f"{language}.toml"
    for grammar in read_layers(beside).grammars:
        for path in (grammar, grammar.with_suffix(".toml")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def weights_digest(folder: Path) -> str:
    """Return a digest of what makes a model what it is."""
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("*.safetensors"), *folder.glob("*.json")]):
        digest.update(path.name.encode())
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()[:16]
