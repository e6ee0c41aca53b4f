"""`dovetail complete`: completions at one place of a file."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console

from dovetail.commands.dialect import TARGET_HELP, load_newest
from dovetail.commands.error import CommandError
from dovetail.commands.judgement import judge, objection
from dovetail.commands.model_option import MODEL_HELP
from dovetail.commands.place import add_place, place_of
from dovetail.commands.refusals import explain_refusals
from dovetail.commands.report import JudgedCompletion, as_json, show
from dovetail.commands.targets import target_at
from dovetail.decoding.completion import Stop
from dovetail.decoding.decoder import Decoder
from dovetail.decoding.limits import Limits, Shape
from dovetail.decoding.request import Request
from dovetail.grammar.library import reading_of, wider_reading
from dovetail.model.hosting import folder_or_name
from dovetail.settings import Settings

if TYPE_CHECKING:
    import argparse

    from dovetail import Language
    from dovetail.decoding.proposer import Proposer
    from dovetail.masking.mask import Masker

_PATIENCE = 60.0
"""Seconds. A person who types a command waits longer than one who types code."""


_BY_HAND = """\
It asks as you do by hand in an editor, which by itself shows only what is likely:
--while-typing asks for that."""
EPILOG = """\
examples:
  dovetail complete src/orders.py:12:5
  dovetail complete src/orders.py:12:5 --candidates 3 --model ~/models/coder.gguf
  dovetail complete src/orders.py:12:5 --explain     also list the tokens that were refused
  cat orders.py | dovetail complete - --stdin-filename orders.py:12:5 --json

exit codes:
  0  all that is offered parses
  1  nothing is offered, or the result does not parse
  2  the command is wrong, or the file or the model cannot be read
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.description = f"{parser.description}\n{_BY_HAND}"
    parser.epilog = EPILOG
    add_place(parser)
    parser.add_argument("--model", type=folder_or_name, metavar="MODEL", help=MODEL_HELP)
    parser.add_argument("--max-tokens", type=int, metavar="N", help="the most tokens of the completion")
    parser.add_argument("--target", metavar="[LANGUAGE=]VERSION", help=TARGET_HELP)
    parser.add_argument(
        "--time-limit",
        type=float,
        default=_PATIENCE,
        metavar="SECONDS",
        help="close the text after so long (default: %(default)g)",
    )
    parser.add_argument(
        "--beams",
        type=int,
        default=1,
        metavar="N",
        help="search for the likeliest text with N beginnings at once (default: 1, the likeliest token each time)",
    )
    parser.add_argument(
        "--candidates",
        type=int,
        default=1,
        metavar="N",
        help="offer up to N different completions (default: 1)",
    )
    parser.add_argument(
        "--while-typing", action="store_true", help="offer only what an editor shows by itself while you type"
    )
    parser.add_argument("--explain", action="store_true", help="list the refused tokens, and what refused each")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Complete and print; return 0 if something is offered and all of it parses, 1 if not.

    Raises CommandError, SettingsError, GrammarError and ModelError for what the user has to mend.
    """
    settings = Settings.from_mapping(
        {
            "model": arguments.model,
            "max_tokens": arguments.max_tokens,
            "time_limit": arguments.time_limit,
        }
    )
    if arguments.beams < 1:
        raise CommandError(f"--beams {arguments.beams} leaves nothing to follow: give at least 1.")
    count: int = arguments.candidates
    if count < 1:
        raise CommandError(f"--candidates {count} leaves nothing to offer: give at least 1.")
    place = place_of(arguments)
    task = target_at(place.path, arguments.target, place.text)
    language = load_newest(reading_of(task.language, place.text), task.target)
    name = wider_reading(task.language, place.text)
    proposer = _proposer(settings.model)

    # Whoever asks for a completion by hand wants the shortest one too.
    least = settings.min_characters if arguments.while_typing else 1
    limits = Limits(settings.max_tokens, settings.time_limit, Shape(settings.shape), least, beams=arguments.beams)
    left, right = place.left, place.right
    request = Request(
        left,
        right,
        lambda: language.quotient(left, right, ends_headers=True),
        limits,
        open_masker=lambda: _masker(language, proposer),
        typing=arguments.while_typing,
    )
    console = Console(highlight=False, markup=False)
    answers: list[JudgedCompletion] = []
    for completion in Decoder(proposer).ready_candidates(request, count):
        judgement = None
        if completion.text is not None:
            judgement = judge(name, left + completion.text + right, partial(objection, language), task.version)
            if not judgement.accepted and language.quotient(left, right, ends_headers=True).ignored:
                judgement = replace(judgement, broken_before=True)
        refusals = explain_refusals(completion.refusals, language, left) if arguments.explain else None
        obstacle = _obstacle(language, left, right) if completion.stop is Stop.NOT_VIABLE else None
        answer = JudgedCompletion(completion, judgement, refusals, obstacle)
        answers.append(answer)
        if not arguments.json:
            show(console, place, answer, proposer.name, number=len(answers) if count > 1 else None)
    if arguments.json:
        sys.stdout.write(as_json(place, answers, name, proposer.name, listed=count > 1) + "\n")
    elif task.origin:
        console.print(task.reading, soft_wrap=True)
    return 0 if all(answer.parses for answer in answers) else 1


def _obstacle(language: Language, left: str, right: str) -> str | None:
    """Return a clause about the first mistake before the cursor, or else outside of its line; None if there is none."""
    before = language.error_before(left + right, len(left))
    if before is not None:
        return str(before)
    line = 1 + left.count("\n")
    return next((str(fault) for fault in language.errors(left + right) if fault.reported.line != line), None)


def _masker(language: Language, proposer: Proposer) -> Masker:
    """Return the masker of the model's vocabulary; it needs numpy, which is installed with a model."""
    from dovetail.masking.mask import Masker

    return Masker(language, proposer.vocabulary)


def _proposer(name: str | None) -> Proposer:
    """Return the named model, or the embedded one."""
    # Brings in a runtime, so it comes after everything else that may go wrong.
    from dovetail.model.hosting import load_model

    return load_model(name)
