"""`dovetail models`: models that fill in the middle; fetch one, remove it, or try how fast it is here."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

import dovetail
from dovetail.commands.error import CommandError
from dovetail.commands.fetching import fetch_with_bar, fetch_with_lines
from dovetail.grammar.library import languages
from dovetail.model import downloaded
from dovetail.model.catalogue import catalogue
from dovetail.model.hardware import Fit, fit, this_hardware
from dovetail.model.hosting import EMBEDDED, EMBEDDED_NAME, known_languages, load_model
from dovetail.model.trial import measure

if TYPE_CHECKING:
    import argparse

    from dovetail.model.catalogue import OfferedModel
    from dovetail.model.hardware import Hardware
    from dovetail.model.trial import Speed

_COLOURS = {Fit.GRAPHICS: "green", Fit.MEMORY: "green", Fit.TIGHT: "yellow", Fit.TOO_LARGE: "red", Fit.UNKNOWN: ""}


EPILOG = """\
examples:
  dovetail models                             the list, and which of them suit this machine
  dovetail models get qwen2.5-coder-0.5b      fetch one, or the rest of it
  dovetail models try qwen2.5-coder-0.5b      measure it here
  dovetail models remove qwen2.5-coder-0.5b

exit codes:
  0    it is done
  2    the command is wrong, or a model cannot be fetched, removed or loaded
  130  a download was interrupted; what came is kept
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument(
        "action", nargs="?", choices=("get", "remove", "try"), metavar="get|remove|try", help="without it: list"
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="a name of the list")
    parser.add_argument(
        "--try",
        dest="trial",
        metavar="NAME",
        help=f"the same as `try NAME`: tokens a second, for ten seconds at most; {EMBEDDED_NAME} is our own",
    )
    parser.add_argument("--json", action="store_true", help="print JSON; of a download one object for each step")


def run(arguments: argparse.Namespace) -> int:
    """List, fetch, remove or try; return 0. Raises ModelError and CommandError; a stopped download is kept."""
    if arguments.action == "try" and arguments.trial is None and arguments.name is not None:
        arguments.action, arguments.trial = None, arguments.name
    if arguments.action is None and arguments.trial is None:
        _list(as_json=arguments.json)
    elif arguments.action is None:
        _try(arguments.trial, as_json=arguments.json)
    elif arguments.trial is not None:
        raise CommandError("--try stands alone: dovetail models --try NAME.")
    elif arguments.name is None:
        raise CommandError(f"Name the model: dovetail models {arguments.action} NAME. `dovetail models` lists them.")
    elif arguments.name == EMBEDDED_NAME:
        _explain_embedded(arguments.action, as_json=arguments.json)
    elif arguments.action == "get":
        fetch = fetch_with_lines if arguments.json else fetch_with_bar
        fetch(downloaded.offered(arguments.name))
    else:
        removed = downloaded.remove(arguments.name)
        _say({"removed": removed}, f"{arguments.name} is removed: {_size(removed)}.", as_json=arguments.json)
    return 0


def _list(*, as_json: bool) -> None:
    hardware = this_hardware()
    if as_json:
        models = [_plain(model, hardware) for model in catalogue().values()]
        sys.stdout.write(json.dumps({"machine": _plain_hardware(hardware), "models": models}) + "\n")
        return
    console = Console(highlight=False, markup=False)
    console.print(_words(hardware), soft_wrap=True)
    console.print()
    console.print(_about_embedded(), soft_wrap=True)
    for model in catalogue().values():
        console.print()
        console.print(_about(model, hardware), soft_wrap=True)
    console.print(
        "\n`dovetail models get NAME` fetches one from the Hugging Face hub; nothing else does. `--try NAME` measures "
        "it. Then give the name with --model, or in the setting `model`.",
        soft_wrap=True,
    )


def _about_embedded() -> Text:
    """Return what is said of the model that needs no download."""
    titles = ", ".join(languages()[name].title for name in known_languages(None) or ())
    reason = "Nothing is downloaded. It is small and quick, and silent where it is not sure."
    return Text.assemble((EMBEDDED_NAME, "bold"), f"  part of Dovetail, the default\n  {reason}\n  {titles}.")


def _explain_embedded(action: str, *, as_json: bool) -> None:
    """Say that the embedded model is here already; raises CommandError where it was to be removed."""
    if action == "remove":
        raise CommandError(f"The model {EMBEDDED_NAME} is part of Dovetail, so it cannot be removed by itself.")
    words = f"The model {EMBEDDED_NAME} is part of Dovetail: there is nothing to fetch, and it is the default."
    _say({"path": str(EMBEDDED)}, words, as_json=as_json)


def _about(model: OfferedModel, hardware: Hardware) -> Text:
    fits = fit(hardware, model.size)
    text = Text.assemble(
        (model.name, "bold"),
        f"  {model.gigabytes:.1f} GB, ",
        (fits.value, _COLOURS[fits]),
        f", {_presence(model.name)}",
        f"\n  {model.reason}\n  {model.languages}. Licence: {model.licence}.",
    )
    note = downloaded.read_note(model.name)
    if note is not None and note.speed is not None:
        text.append(f"\n  Measured here: {_rates(note.speed)}.")
    return text


def _presence(name: str) -> str:
    """Return how much of a model is on this machine, in words."""
    if downloaded.path_of(name).is_file():
        return "on this machine"
    kept = downloaded.unfinished_bytes(name)
    return f"{_size(kept)} of it on this machine" if kept else "not downloaded yet"


def _plain(model: OfferedModel, hardware: Hardware) -> dict[str, Any]:
    """Return what is known of a model as plain values, for editors."""
    path = downloaded.path_of(model.name)
    note = downloaded.read_note(model.name)
    speed = None if note is None or note.speed is None else asdict(note.speed)
    fits = fit(hardware, model.size)
    here = str(path) if path.is_file() else None
    return {
        **asdict(model),
        "fit": fits.name.lower().replace("_", " "),
        "fit_words": fits.value,
        "path": here,
        "unfinished": downloaded.unfinished_bytes(model.name),
        "speed": speed,
    }


def _plain_hardware(hardware: Hardware) -> dict[str, Any]:
    return {
        "memory": hardware.memory,
        "processors": hardware.processors,
        "graphics": [card._asdict() for card in hardware.graphics],
    }


def _words(hardware: Hardware) -> str:
    memory = "memory of unknown size" if hardware.memory is None else f"{_size(hardware.memory)} of memory"
    cards = [f"{card.name} ({_size(card.memory)})" for card in hardware.graphics]
    count = "1 processor core" if hardware.processors == 1 else f"{hardware.processors} processor cores"
    return f"This machine: {memory}, {count}, {', '.join(cards) or 'no graphics card that llama.cpp can use'}."


def _try(name: str, *, as_json: bool) -> None:
    if name != EMBEDDED_NAME:
        downloaded.require_downloaded(name)
    proposer = load_model(None if name == EMBEDDED_NAME else name)
    speed = measure(proposer, Path(dovetail.__file__).with_name("settings.py").read_text(encoding="utf-8"))
    if name != EMBEDDED_NAME:
        downloaded.note_speed(name, speed)
    _say(asdict(speed), f"{name}: {_rates(speed)} ({speed.numbers}).", as_json=as_json)


def _rates(speed: Speed) -> str:
    return f"reads {speed.prompt:,.0f} and writes {speed.text:,.1f} tokens a second"


def _say(plain: dict[str, Any], words: str, *, as_json: bool) -> None:
    sys.stdout.write((json.dumps(plain) if as_json else words) + "\n")


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.1f} MB"
