"""`dovetail shell-completion`: a script that lets a shell complete the command line."""

from __future__ import annotations

import argparse
import sys

import shtab

from dovetail.commands.command_line import COMMANDS, make_parser

SHELLS = ("bash", "zsh", "fish")

_FILES = ("FILE", "FILE:LINE:COLUMN", "FOLDER", "MODEL")
"""The names in the help of arguments that are paths, or begin with one."""

EPILOG = """\
examples:
  dovetail shell-completion bash > ~/.local/share/bash-completion/completions/dovetail
  dovetail shell-completion zsh > ~/.zfunc/_dovetail        with ~/.zfunc in zsh's fpath
  dovetail shell-completion fish > ~/.config/fish/completions/dovetail.fish

exit codes:
  0  the script is printed
  2  the command is wrong
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def run(arguments: argparse.Namespace) -> int:
    """Print the script; return 0. It lists all commands and options, so the shell starts no Python to complete."""
    parser = make_parser(COMMANDS)
    _name_paths(parser)
    sys.stdout.write(shtab.complete(parser, shell=arguments.shell))
    return 0


def _name_paths(parser: argparse.ArgumentParser) -> None:
    """Mark the arguments of a parser and its commands for which a shell proposes files or folders."""
    for action in parser._actions:  # argparse has no public list of them
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _name_paths(command)
        elif action.metavar in _FILES:
            action.complete = shtab.DIRECTORY if action.metavar == "FOLDER" else shtab.FILE  # type: ignore[attr-defined]
