"""`dovetail eval`: experiments with a model and data of your own, and a page with the results.

`gaps` are the published experiments: programs are cut, and the model fills the gap. `typing` is a replay of typing.
`cross-file` completes lines that use a name of another file, with and without parts of other files.
`tasks` writes functions from their headers, as SynCode's experiments do.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

import dovetail
from dovetail.commands import eval_tasks
from dovetail.commands.eval_cross_file import add_cross_file_arguments, publish_cross_file, run_cross_file
from dovetail.commands.eval_progress import do_missing
from dovetail.commands.eval_typing import add_typing_arguments, publish_typing, run_typing
from dovetail.evaluation.cases import Cases
from dovetail.evaluation.cuts import DATA_SETS
from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.journal import Journal
from dovetail.evaluation.programs import Programs
from dovetail.evaluation.record import Method
from dovetail.evaluation.report import publish
from dovetail.evaluation.setup import make_setup
from dovetail.evaluation.subject import find_subject
from dovetail.model.error import require, require_extra
from dovetail.model.hosting import folder_or_name

if TYPE_CHECKING:
    import argparse


EPILOG = """\
examples:
  dovetail eval --data ~/src/project --output build/report
  dovetail eval --data ~/src/project --output build/report --model ~/models/coder --cases 500
  dovetail eval --data ~/src/project --output build/report --experiment typing
  dovetail eval --data ~/src/project --output build/report --experiment cross-file
  dovetail eval --experiment tasks --tasks HumanEval.jsonl --max-tokens 400 --output build/report
  dovetail eval --output build/report --merge            only write the report of what is done

exit codes:
  0  the cases are done; the same command does those that are missing after an interruption
  2  the command is wrong, or data or model cannot be used
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument(
        "--experiment",
        choices=["gaps", "typing", "cross-file", "tasks"],
        default="gaps",
        help="fill gaps of programs as published, type programs as people do, complete lines that use names of "
        "other files, or write functions from their headers (default: gaps)",
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="the files that are cut and completed")
    parser.add_argument("--language", metavar="NAME", help="their language (default: that of the running interpreter)")
    parser.add_argument("--target", metavar="VERSION", help="its version (default: the newest, or the interpreter's)")
    parser.add_argument(
        "--oracle",
        metavar="COMMAND",
        help="a program that judges texts, as for `dovetail grammar --oracle` (default: the parser that the language's "
        "description names)",
    )
    parser.add_argument(
        "--dataset", choices=list(DATA_SETS), default="boundary", help="the way of cutting (default: boundary)"
    )
    parser.add_argument("--cases", type=int, default=200, metavar="N", help="the number of cases (default: 200)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the seed of the cases (default: 0)")
    parser.add_argument(
        "--model", type=folder_or_name, metavar="MODEL", help="a model's folder or hub name (default: our own)"
    )
    parser.add_argument(
        "--methods",
        default=",".join(method.value for method in Method),
        metavar="NAMES",
        help="separated by commas (default: %(default)s)",
    )
    parser.add_argument(
        "--max-tokens", type=int, default=64, metavar="M", help="the most tokens of a text (default: 64)"
    )
    parser.add_argument(
        "--beams", type=int, default=1, metavar="B", help="beams of the constrained method (default: 1, greedy)"
    )
    parser.add_argument("--output", type=Path, required=True, metavar="FOLDER", help="the folder of records and report")
    parser.add_argument(
        "--shard", default="1/1", metavar="I/N", help="do every N-th case from the I-th on; shards share a folder"
    )
    parser.add_argument(
        "--name",
        metavar="NAME",
        help="the experiment's name in the folder and the report (default: the data set or the experiment)",
    )
    parser.add_argument(
        "--examples", type=int, default=6, metavar="N", help="cases shown with their texts (default: 6)"
    )
    parser.add_argument(
        "--uncounted", action="store_true", help="leave the experiment out of the tables; only its examples are shown"
    )
    parser.add_argument(
        "--merge", action="store_true", help="only write the report of the folder's experiments; needs no model"
    )
    add_typing_arguments(parser)
    add_cross_file_arguments(parser)
    eval_tasks.add_task_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the missing cases, and write the report once none is missing; return the exit code.

    Raises EvaluationError, GrammarError and ModelError for what the user has to mend.
    """
    console = Console(stderr=True, highlight=False, markup=False)
    if not arguments.merge:
        _experiment(arguments, console)
    replayed = publish_typing(arguments.output, console)
    crossed = publish_cross_file(arguments.output, console)
    crossed |= eval_tasks.publish(arguments.output, console)
    published = publish(arguments.output)
    for name, (done, cases) in published.unfinished.items():
        said = f"{name}: {done} of {cases} cases are done; it is left out of the report until all are."
        console.print(said, soft_wrap=True)
    if published.page is None and not replayed and not crossed and arguments.merge:
        raise EvaluationError(
            f"{arguments.output} holds no finished experiment: run `dovetail eval` with this --output first."
        )
    if published.page is not None:
        console.print(f"The report is {published.page}.", soft_wrap=True)
    return 0


def _experiment(arguments: argparse.Namespace, console: Console) -> None:
    """Do the missing cases of the chosen experiment."""
    shard, shards = _shard(arguments.shard)
    methods = _methods(arguments.methods)
    for name in ("cases", "max_tokens", "beams"):
        if getattr(arguments, name) < 1:
            flag = name.replace("_", "-")
            raise EvaluationError(f"--{flag} {getattr(arguments, name)} leaves nothing to do: give at least 1.")
    experiment = arguments.experiment
    if arguments.data is None and experiment != "tasks":
        raise EvaluationError("There is nothing to complete: name a folder of programs with --data.")
    name = arguments.name or (arguments.dataset if experiment == "gaps" else experiment)
    if re.fullmatch(r"[\w-]+", name) is None:
        raise EvaluationError(f"--name {name}: a name has letters, digits, `_` and `-` only.")
    _require()
    if experiment == "tasks":
        eval_tasks.run_tasks(arguments, name, methods, shard, shards, console)
        return
    if experiment != "gaps":
        if arguments.target is not None or arguments.oracle is not None:
            raise EvaluationError(
                f"--experiment {experiment} judges no text by a parser: leave --target and --oracle out."
            )
        if arguments.language is not None and experiment == "typing":
            raise EvaluationError(
                "--experiment typing types programs of the running interpreter: leave --language out."
            )
        other = run_typing if experiment == "typing" else run_cross_file
        other(arguments, name, shard, shards, console)
        return
    dataset = DATA_SETS[arguments.dataset]
    subject = find_subject(arguments.language, arguments.target, arguments.oracle)
    programs = Programs(arguments.data, subject)
    cases = Cases(programs, dataset, arguments.seed)
    cases.case(0)  # says so if no program can be used, before anything is loaded or written

    # These bring in torch and numpy, so they come after what may go wrong without them.
    from dovetail.evaluation.trial import Trial
    from dovetail.model.device import use_one_thread
    from dovetail.model.hosting import EMBEDDED, load_model

    use_one_thread()
    proposer = load_model(arguments.model)
    source = EMBEDDED if arguments.model is None else Path(arguments.model).expanduser()
    setup = make_setup(
        name,
        dataset,
        arguments.cases,
        arguments.seed,
        methods,
        arguments.max_tokens,
        programs,
        proposer,
        source if source.is_dir() else None,
        max(arguments.examples, 0),
        counted=not arguments.uncounted,
        beams=arguments.beams,
    )
    journal = Journal(arguments.output, setup, shard, shards)
    try:
        if journal.missing:
            language = dovetail.load_language(subject.facts.name, target=subject.target)
            trial = Trial(language, proposer, dataset, methods, arguments.max_tokens, arguments.beams, subject)
            trial.run(cases.case(journal.missing[0]))  # the first pays for what is made once in a process
            do_missing(journal, lambda number: trial.run(cases.case(number)), console)
    finally:
        journal.close()
        subject.close()


def _shard(written: str) -> tuple[int, int]:
    """Return the shard, counted from 0, and the number of shards."""
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", written)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise EvaluationError(f"--shard {written}: a shard is written I/N, as 1/4, 2/4, 3/4 and 4/4.")
    return int(match[1]) - 1, int(match[2])


def _methods(written: str) -> tuple[Method, ...]:
    """Return the methods in their own order, each once."""
    names = {name.strip() for name in written.split(",")}
    known = [method.value for method in Method]
    unknown = sorted(names - set(known))
    if unknown:
        raise EvaluationError(f"--methods {written}: `{unknown[0]}` is no method; known are {', '.join(known)}.")
    return tuple(method for method in Method if method.value in names)


def _require() -> None:
    """Return if everything that an experiment needs is installed."""
    require_extra()
    require(("rapidfuzz",), "An experiment")
