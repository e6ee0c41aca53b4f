"""The commands, and the parser of the command line."""

from __future__ import annotations

import argparse
import importlib
from importlib import metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection
    from types import ModuleType

COMMANDS = {
    "check": "say whether files are programs of their languages, and where they stop being one",
    "complete": "complete the code at one place of a file",
    "convert": "make a GGUF file of a transformers model",
    "doctor": "say whether everything is there that a completion needs, and how fast it is",
    "eval": "complete cuts of programs with and without the constraint, and report on it",
    "explain": "say what may come at one place of a file, and why",
    "grammar": "say what a grammar comes to: sizes, conflicts, hidden terminals, random texts",
    "host": "say what the processes hold that windows share, or end them",
    "models": "list models that fill in the middle, fetch or remove one, or try how fast it is here",
    "play": "show the engine at work, in a page in the browser",
    "serve": "run the language server",
    "shell-completion": "print a script that lets a shell complete these commands and their options",
    "stats": "show how many completions were shown, accepted and kept on this machine",
    "train": "train a model of your own",
}
"""Command → its help. Each is a module of `commands`, with `_` for `-`; only the one that is run is imported."""

EPILOG = """\
examples:
  dovetail check                          report the mistakes in all files below this folder
  dovetail complete src/orders.py:12:5    show a completion at line 12, column 5
  dovetail explain src/orders.py:12:5     list what may come there
  dovetail doctor                         say whether everything is there, and how fast it is

exit codes:
  0  all is well
  1  the answer is no: a file does not fit, nothing is offered, or something is missing
  2  the command is wrong, or something that it needs cannot be used
`dovetail COMMAND --help` has the examples and exit codes of one command.
"""


def make_parser(complete: Collection[str]) -> argparse.ArgumentParser:
    """Return the parser of the command line, with the options of the commands in `complete`; the others have none.

    A command's options stand in its module, so each in `complete` takes the time of an import.
    """
    parser = argparse.ArgumentParser(
        prog="dovetail",
        description="Code completion that inserts only what fits both sides of the cursor.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dovetail {metadata.version('dovetail')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, purpose in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=purpose,
            description=f"{purpose[0].upper()}{purpose[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name in complete:
            module_of(name).add_arguments(command)
    return parser


def module_of(command: str) -> ModuleType:
    """Return the module of a command."""
    return importlib.import_module(f"dovetail.commands.{command.replace('-', '_')}")
