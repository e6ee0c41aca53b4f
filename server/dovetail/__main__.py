"""The command line."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__" and sys.path and sys.path[0] == os.getcwd() and not sys.flags.safe_path:
    # With `python -m` that is the folder in which it runs, a project of which no file may be imported.
    del sys.path[0]

import argparse
import importlib
from importlib import metadata
from io import TextIOWrapper
from typing import TYPE_CHECKING

from dovetail.commands.error import CommandError
from dovetail.evaluation.error import EvaluationError
from dovetail.grammar.errors import GrammarError
from dovetail.model.error import ModelError
from dovetail.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMANDS = {
    "check": "say whether files are programs of their languages, and where they stop being one",
    "complete": "complete the code at one place of a file",
    "convert": "make a GGUF file of a transformers model",
    "doctor": "say whether everything is there that a completion needs, and how fast it is",
    "eval": "complete cuts of programs with and without the constraint, and report on it",
    "explain": "say what may come at one place of a file, and why",
    "models": "list models that fill in the middle, fetch or remove one, or try how fast it is here",
    "serve": "run the language server",
    "stats": "show how many completions were shown, accepted and kept on this machine",
    "train": "train a model of your own",
}
"""Command → its help. Each is a module of `commands`; only the one that is run is imported."""

_MISTAKES = (CommandError, EvaluationError, GrammarError, ModelError, SettingsError)
"""The exceptions whose message is one sentence for the user, with the place and the remedy."""

_MISTAKE = 2
_INTERRUPTED = 130
"""The exit code of a process that the interrupt key ended, as shells have it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line, the process's own without `argv`, and return the exit code.

    2 stands for a mistake that the user can mend; one sentence on stderr says which.
    """
    _print_whatever_comes()
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = _parser(next((word for word in arguments if not word.startswith("-")), None))
    parsed = parser.parse_args(arguments)
    command = importlib.import_module(f"dovetail.commands.{parsed.command}")
    try:
        code: int = command.run(parsed)
    except _MISTAKES as error:
        print(error, file=sys.stderr)
        return _MISTAKE
    except KeyboardInterrupt:
        return _INTERRUPTED
    return code


def _print_whatever_comes() -> None:
    """Write characters that the output's encoding lacks as their numbers; they would end the command otherwise."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what stands in their place may be of another kind, or None
            stream.reconfigure(errors="backslashreplace")


def _parser(asked: str | None) -> argparse.ArgumentParser:
    """Return the parser of the command line, with the options of the command that `argv` names."""
    parser = argparse.ArgumentParser(
        prog="dovetail", description="Code completion that inserts only what fits both sides of the cursor."
    )
    parser.add_argument("--version", action="version", version=f"dovetail {metadata.version('dovetail')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, purpose in _COMMANDS.items():
        command = commands.add_parser(
            name,
            help=purpose,
            description=f"{purpose[0].upper()}{purpose[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == asked:
            importlib.import_module(f"dovetail.commands.{name}").add_arguments(command)
    return parser


if __name__ == "__main__":
    sys.exit(main())
