"""The command line."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__" and sys.path and sys.path[0] == os.getcwd() and not sys.flags.safe_path:
    # With `python -m` that is the folder in which it runs, a project of which no file may be imported.
    del sys.path[0]

from io import TextIOWrapper
from typing import TYPE_CHECKING

from dovetail.commands.command_line import make_parser, module_of, parse
from dovetail.commands.error import CommandError
from dovetail.evaluation.error import EvaluationError
from dovetail.grammar.errors import GrammarError
from dovetail.model.error import ModelError
from dovetail.model.failure import EngineError
from dovetail.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

_MISTAKES = (CommandError, EvaluationError, GrammarError, ModelError, SettingsError)
"""The exceptions whose message is one sentence for the user, with the place and the remedy."""

_MISTAKE = 2
_INTERRUPTED = 130
"""The exit code of a process that the interrupt key ended, as shells have it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line, the process's own without `argv`, and return the exit code.

    2 stands for a mistake that the user can mend; one sentence on stderr says which. Without any argument the help is
    printed, and the exit code is 0.
    """
    _print_whatever_comes()
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments:
        make_parser([]).print_help()
        return 0
    parsed = parse(arguments)
    command = module_of(parsed.command)
    try:
        code: int = command.run(parsed)
    except _MISTAKES as error:
        print(error, file=sys.stderr)
        return _MISTAKE
    except EngineError as error:
        print(f"The model failed, because {error}: try again, or choose another model.", file=sys.stderr)
        return _MISTAKE
    except KeyboardInterrupt:
        return _INTERRUPTED
    return code


def _print_whatever_comes() -> None:
    """Write characters that the output's encoding lacks as their numbers; they would end the command otherwise."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what stands in their place may be of another kind, or None
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
