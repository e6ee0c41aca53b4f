"""The help of every command: examples that work, and the exit codes."""

from __future__ import annotations

import re
import shlex

import pytest

from dovetail.commands.command_line import COMMANDS, EPILOG, make_parser, module_of

_EXAMPLE = re.compile(r"^  (?:.*\| )?dovetail (.+?)(?:  .*)?$", re.MULTILINE)
"""A line with an example: perhaps something that is piped into it, the arguments, and after two blanks a remark."""

_WIDTH = 100

_EPILOGS = {"": EPILOG, **{name: module_of(name).EPILOG for name in COMMANDS}}


def examples() -> list[tuple[str, str]]:
    """Return each example with the command in whose help it stands."""
    return [(name, example) for name, epilog in _EPILOGS.items() for example in _EXAMPLE.findall(epilog)]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_shows_how_it_is_used(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The help of a command has examples of this command, and its exit codes, in lines that fit a terminal."""
    with pytest.raises(SystemExit) as ended:
        make_parser([name]).parse_args([name, "--help"])

    shown = capsys.readouterr().out
    assert ended.value.code == 0
    part, _, codes = shown.partition("\nexamples:\n")[2].partition("\nexit codes:\n")
    assert {example.split()[0] for example in _EXAMPLE.findall(part)} == {name}
    assert {"0", "2"} <= set(re.findall(r"^  (\d+)  +\w", codes, re.MULTILINE))
    assert max(map(len, _EPILOGS[name].splitlines())) <= _WIDTH


@pytest.mark.parametrize(("name", "example"), examples())
def test_an_example_is_understood(name: str, example: str) -> None:
    """The command line takes the arguments of an example."""
    arguments = shlex.split(example.partition(" > ")[0])

    assert make_parser([arguments[0]]).parse_args(arguments).command == (name or arguments[0])


@pytest.mark.parametrize("name", ["complete", "doctor", "serve"])
def test_every_way_to_name_a_model_is_said_by_all_commands_that_run_one(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fetched names, GGUF files, folders, addresses and the hub, in the same words."""
    with pytest.raises(SystemExit):
        make_parser([name]).parse_args([name, "--help"])

    shown = " ".join(capsys.readouterr().out.split())
    for way in (
        "a name of `dovetail models`",
        "a GGUF file",
        "a folder",
        "an engine's address",
        "the Hugging Face hub",
    ):
        assert way in shown
