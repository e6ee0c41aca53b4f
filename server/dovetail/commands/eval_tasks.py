"""`dovetail eval --experiment tasks`: functions are written from their headers, as in the experiments of SynCode."""

from __future__ import annotations

import hashlib
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import dovetail
from dovetail.commands.eval_progress import do_missing
from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.journal import Journal
from dovetail.evaluation.record import Method
from dovetail.evaluation.setup import engine_digest, weights_digest
from dovetail.evaluation.subject import find_subject
from dovetail.evaluation.tasks.program_run import RunLimits, check_command
from dovetail.evaluation.tasks.record import TaskSetup
from dovetail.evaluation.tasks.report import publish_tasks
from dovetail.evaluation.tasks.task import read_tasks
from dovetail.evaluation.verdict import LANGUAGE

if TYPE_CHECKING:
    import argparse

    from rich.console import Console


def add_task_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what only this experiment takes."""
    group = parser.add_argument_group("with --experiment tasks")
    group.add_argument(
        "--tasks", type=Path, metavar="FILE", help="tasks in the form of HumanEval and MBXP: a JSON object on each line"
    )
    group.add_argument(
        "--run",
        default="",
        metavar="COMMAND",
        help="run the programs with their tests, as `python3 -I {file}` or `go run {file}`: code that a model wrote, "
        "with your rights; only its time and memory are limited. Without it nothing is run",
    )
    group.add_argument(
        "--run-seconds", type=float, default=10.0, metavar="N", help="the longest time of one program (default: 10)"
    )


def run_tasks(
    arguments: argparse.Namespace, name: str, methods: tuple[Method, ...], shard: int, shards: int, console: Console
) -> None:
    """Do the missing tasks; raises EvaluationError, GrammarError and ModelError for the user."""
    if arguments.tasks is None:
        raise EvaluationError("There is nothing to write: name a file of tasks with --tasks.")
    if arguments.run:
        check_command(arguments.run)
    subject = find_subject(arguments.language, arguments.target, arguments.oracle)
    tasks = read_tasks(arguments.tasks, subject.facts.name, LANGUAGE.name)[: arguments.cases]
    subject.judge("")  # says so if the parser does not answer, before anything is loaded or written

    # These bring in torch and numpy, so they come after what may go wrong without them.
    from dovetail.evaluation.tasks.trial import TaskTrial
    from dovetail.model.device import use_one_thread
    from dovetail.model.hosting import EMBEDDED, load_model

    use_one_thread()
    proposer = load_model(arguments.model)
    source = EMBEDDED if arguments.model is None else Path(arguments.model).expanduser()
    methods = tuple(method for method in methods if method is not Method.CHECKED)
    setup = TaskSetup(
        name=name,
        cases=len(tasks),
        language=subject.facts.name,
        target=subject.target,
        methods=methods,
        max_tokens=arguments.max_tokens,
        tasks=arguments.tasks.name,
        digest=hashlib.sha256(repr(tasks).encode()).hexdigest()[:16],
        command=arguments.run,
        model=proposer.name,
        weights=weights_digest(source) if source.is_dir() else "",
        numbers=proposer.numbers,
        engine=engine_digest(language=subject.facts.name),
        dovetail=metadata.version("dovetail"),
    )
    journal = Journal(arguments.output, setup, shard, shards)
    try:
        if journal.missing:
            language = dovetail.load_language(subject.facts.name, target=subject.target)
            limits = RunLimits(arguments.run_seconds)
            trial = TaskTrial(tasks, subject, language, proposer, methods, arguments.max_tokens, arguments.run, limits)
            do_missing(journal, trial.run, console)
    finally:
        journal.close()
        subject.close()


def publish(folder: Path, console: Console) -> bool:
    """Write the report of the tasks in a folder; return whether there is one."""
    page, done = publish_tasks(folder)
    for name, (count, cases) in done.items():
        if count < cases:
            console.print(f"{name}: {count} of {cases} tasks are done, and are in the report.", soft_wrap=True)
    if page is not None:
        console.print(f"The report is {page}.", soft_wrap=True)
    return page is not None
