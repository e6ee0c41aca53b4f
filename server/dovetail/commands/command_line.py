"""The commands, and the parser of the command line."""

from __future__ import annotations

import argparse
import difflib
import importlib
from importlib import metadata
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
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


_LANGUAGE = ("--language", "--lang")
"""Options that somebody may look for where the name of a file tells its language."""
_NAME_OF_INPUT = "--stdin-filename"


_OF_EDITORS = {
    "why": ": only editors have it; `dovetail complete FILE:LINE:COLUMN --explain` says why, here",
    "status": ": only editors have it; `dovetail doctor` says whether everything is there",
    "install": ": only editors have it; `dovetail doctor` says whether something is missing here",
}
"""Commands that the editors alone have → the end of the sentence about them."""


class _CommandParser(argparse.ArgumentParser):
    """The parser of one command, which says itself what is wrong, in one sentence and without the usage."""

    def error(self, message: str) -> NoReturn:
        """End the process with a sentence."""
        self.exit(2, f"{self.prog}: error: {message}\n")

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Parse all arguments; end with a sentence about the first that is unknown."""
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(self._unknown(unknown))
        return parsed, unknown

    def _unknown(self, words: Sequence[str]) -> str:
        option = next((word.partition("=")[0] for word in words if word.startswith("-") and word != "-"), None)
        if option is None:
            return f"`{words[0]}` is one argument too many"
        if option in _LANGUAGE and _NAME_OF_INPUT in self._option_string_actions:
            return (
                f"there is no option {option}: the name of a file tells its language; "
                f"{_NAME_OF_INPUT} gives one to standard input"
            )
        return f"there is no option {option}{_meant(option, self._option_string_actions)}"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the parsed command line; end the process with the usage and one sentence if it is wrong."""
    asked = next((word for word in arguments if not word.startswith("-")), None)
    parser = make_parser([asked] if asked in COMMANDS else [])
    if asked is not None and asked not in COMMANDS:
        parser.error(f"there is no command {asked}{_OF_EDITORS.get(asked) or _meant(asked, COMMANDS)}")
    own = parser._option_string_actions
    option = arguments[0].partition("=")[0] if asked is None and arguments else "-"
    if option != "-" and not any(known.startswith(option) for known in own):
        parser.error(f"there is no option {option}{_meant(option, own)}")  # argparse says that a command is missing
    return parser.parse_args(arguments)


def _meant(written: str, known: Iterable[str]) -> str:
    """Return the end of a sentence with the name that was meant, as far as one is near."""
    near = difflib.get_close_matches(written, known, n=1)
    return f": did you mean {near[0]}?" if near else "; --help lists what there is"


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
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_CommandParser)
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
