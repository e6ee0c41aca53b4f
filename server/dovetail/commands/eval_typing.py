"""`dovetail eval --experiment typing`: held-out files are typed, and a simulated user sees the completions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dovetail.commands.eval_progress import do_missing
from dovetail.evaluation.error import EvaluationError
from dovetail.evaluation.journal import Journal
from dovetail.evaluation.programs import Programs
from dovetail.evaluation.replay.cases import Part, ReplayCases
from dovetail.evaluation.replay.report import publish_replays
from dovetail.evaluation.verdict import LANGUAGE, TARGET
from dovetail.settings import Settings, SettingsError

if TYPE_CHECKING:
    import argparse

    from rich.console import Console


def add_typing_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what only this experiment takes."""
    group = parser.add_argument_group("with --experiment typing")
    group.add_argument(
        "--part",
        choices=[part.value for part in Part],
        default=Part.REPORT.value,
        help="the part of the packages: choose rules on `tuning`, report on `report` (default: report)",
    )
    group.add_argument(
        "--without",
        default="",
        metavar="PACKAGES",
        help="packages of the part to leave out, because something was fitted to them; separated by commas",
    )
    group.add_argument(
        "--characters", type=int, default=160, metavar="N", help="about the most typed of a file (default: 160)"
    )
    group.add_argument(
        "--all-thresholds",
        action="store_true",
        help="also ask where an earlier text is still shown, to know what any threshold would change",
    )
    group.add_argument(
        "--setting",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help='a setting of the server that is not the default, such as trigger="eager"; may be repeated',
    )


def run_typing(arguments: argparse.Namespace, name: str, shard: int, shards: int, console: Console) -> None:
    """Do the missing cases; raises EvaluationError, SettingsError, GrammarError and ModelError for the user."""
    if arguments.characters < 1:
        raise EvaluationError(f"--characters {arguments.characters} leaves nothing to do: give at least 1.")
    written = _settings(arguments.setting)
    try:
        settings = Settings.from_mapping({f"{LANGUAGE.name}.target_version": TARGET, **written})
    except SettingsError as error:
        raise EvaluationError(f"--setting: {error}") from None
    programs = Programs(arguments.data)
    part = Part(arguments.part)
    without = [package.strip() for package in arguments.without.split(",") if package.strip()]
    cases = ReplayCases(programs, part, arguments.seed, arguments.characters, without)
    cases.case(arguments.cases - 1)  # says so if there are too few, before anything is loaded or written

    # These bring in torch and numpy, so they come after what may go wrong without them.
    from dovetail.evaluation.replay.record import make_replay_setup
    from dovetail.evaluation.replay.replay import Replay
    from dovetail.evaluation.replay.suggestions import Suggestions
    from dovetail.model.device import use_one_thread
    from dovetail.model.hosting import EMBEDDED, load_model

    use_one_thread()
    proposer = load_model(arguments.model)
    source = EMBEDDED if arguments.model is None else Path(arguments.model).expanduser()
    setup = make_replay_setup(
        name,
        part,
        without,
        arguments.cases,
        arguments.seed,
        arguments.characters,
        arguments.all_thresholds,
        written,
        programs,
        proposer,
        source if source.is_dir() else None,
    )
    journal = Journal(arguments.output, setup, shard, shards)
    try:
        if journal.missing:
            suggestions = Suggestions(proposer, settings)
            replay = Replay(suggestions, settings.min_characters, all_thresholds=arguments.all_thresholds)
            do_missing(journal, lambda number: replay.run(cases.case(number)), console)
    finally:
        journal.close()


def publish_typing(folder: Path, console: Console) -> bool:
    """Write the report of the replays in a folder; return whether there is one."""
    page, done = publish_replays(folder)
    for name, (count, cases) in done.items():
        if count < cases:
            console.print(f"{name}: {count} of {cases} cases are done, and are in the report.", soft_wrap=True)
    if page is not None:
        console.print(f"The report is {page}.", soft_wrap=True)
    return page is not None


def _settings(written: list[str]) -> dict[str, Any]:
    """Return the settings that the command line names; a value that is no JSON is a text."""
    settings = {}
    for one in written:
        name, equals, value = one.partition("=")
        if not equals:
            raise EvaluationError(f'--setting {one}: a setting is written NAME=VALUE, as trigger="eager".')
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    return settings
