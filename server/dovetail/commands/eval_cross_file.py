"""`dovetail eval --experiment cross-file`: lines that use a name of another file, with and without parts of others."""

from __future__ import annotations

import hashlib
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import dovetail
from dovetail.commands.eval_progress import do_missing
from dovetail.evaluation.crossfile.cases import CrossCases, CrossKind
from dovetail.evaluation.crossfile.record import CrossSetup
from dovetail.evaluation.crossfile.report import publish_cross_files
from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.journal import Journal
from dovetail.evaluation.setup import engine_digest, weights_digest
from dovetail.evaluation.verdict import LANGUAGE
from dovetail.grammar.library import languages
from dovetail.model.hosting import EMBEDDED, folder_or_name

if TYPE_CHECKING:
    import argparse

    from rich.console import Console


def add_cross_file_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the experiment takes."""
    group = parser.add_argument_group("with --experiment cross-file")
    group.add_argument(
        "--cut",
        choices=[kind.value for kind in CrossKind],
        default=CrossKind.MEMBERS.value,
        help="cut lines behind the dot of something imported, as CrossCodeEval does, those of them alone whose member "
        "stands nowhere else in the file, or where an imported name begins (default: members)",
    )
    group.add_argument(
        "--unsolved-by",
        type=folder_or_name,
        metavar="MODEL",
        help="leave out the lines that this smaller model writes from the file alone: they need no other file",
    )


def run_cross_file(arguments: argparse.Namespace, name: str, shard: int, shards: int, console: Console) -> None:
    """Do the missing cases; raises EvaluationError, GrammarError and ModelError for the user."""
    facts = languages().get(arguments.language or LANGUAGE.name)
    if facts is None:
        raise EvaluationError(f"--language {arguments.language}: known are {', '.join(languages())}.")
    cases = CrossCases(arguments.data, facts, arguments.seed, CrossKind(arguments.cut))
    cases.case(arguments.cases - 1)  # says so if there are too few, before anything is loaded or written

    # These bring in torch and numpy, so they come after what may go wrong without them.
    from dovetail.evaluation.crossfile.trial import CrossTrial
    from dovetail.model.device import use_one_thread
    from dovetail.model.hosting import load_model

    use_one_thread()
    proposer = load_model(arguments.model)
    smaller = None if arguments.unsolved_by is None else load_model(arguments.unsolved_by)
    setup = CrossSetup(
        name=name,
        language=facts.name,
        cases=arguments.cases,
        seed=arguments.seed,
        max_tokens=arguments.max_tokens,
        model=proposer.name,
        weights=_weights(arguments.model or EMBEDDED),
        data=cases.folder.name,
        files=len(cases.paths),
        cut=arguments.cut,
        smaller="" if smaller is None else smaller.name,
        smaller_weights="" if smaller is None else _weights(arguments.unsolved_by),
        digest=_digest(cases),
        engine=engine_digest("project"),
        numbers=proposer.numbers,
        dovetail=metadata.version("dovetail"),
    )
    journal = Journal(arguments.output, setup, shard, shards)
    try:
        if journal.missing:
            language = dovetail.load_language(facts.name)
            trial = CrossTrial(language, proposer, cases.folder, arguments.max_tokens, smaller)
            do_missing(journal, lambda number: trial.run(cases.case(number)), console)
    finally:
        journal.close()


def publish_cross_file(folder: Path, console: Console) -> bool:
    """Write the report of these experiments in a folder; return whether there is one."""
    document, done = publish_cross_files(folder)
    for name, (count, cases) in done.items():
        if count < cases:
            console.print(f"{name}: {count} of {cases} cases are done, and are in the report.", soft_wrap=True)
    if document is not None:
        console.print(f"The report is {document}.", soft_wrap=True)
    return document is not None


def _weights(model: str | Path) -> str:
    """Return the digest of a model that is a folder, else the empty text."""
    folder = Path(model).expanduser()
    return weights_digest(folder) if folder.is_dir() else ""


def _digest(cases: CrossCases) -> str:
    """Return a digest of the files, which changes when any name or text does."""
    digest = hashlib.sha256()
    for path in cases.paths:
        digest.update(f"{Path(path).relative_to(cases.folder).as_posix()}\0".encode())
        digest.update(hashlib.sha256(Path(path).read_bytes()).digest())
    return digest.hexdigest()[:16]
