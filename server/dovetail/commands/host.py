"""`dovetail host`: the processes that hold a model for all windows, and the host of a team.

Without an option it says what the processes of this user hold and take. `--team` serves the editors of others.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from dovetail.commands.error import CommandError
from dovetail.completer.host.finder import HostFinder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from dovetail.completer.host.finder import HostStatus

EPILOG = """\
examples:
  dovetail host           what each shared process holds, and who uses it
  dovetail host --stop    end them; windows that use one start another at once, and lose no text
  dovetail host --json
  dovetail host --team team.toml    complete for the editors of a team, until interrupted
  kill -USR1 PROCESS                have it read the file again, and lose no request
  dovetail host --new-key alice     make a key; the configuration gets its digest

exit codes:
  0  it is said, or done
  1  a process does not answer, or could not be ended
  2  the command is wrong
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument("--stop", action="store_true", help="end all of them, also those that do not answer")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--team", metavar="FILE", type=Path, help="serve a team, as this TOML file says")
    parser.add_argument("--new-key", metavar="NAME", help="print a new key, and the lines for the file of --team")


def run(arguments: argparse.Namespace) -> int:
    """List hosts, or end them, or serve a team; return 1 if one does not answer or cannot be ended."""
    if arguments.new_key is not None:
        return _make_key(arguments.new_key)
    if arguments.team is not None:
        return _serve_team(arguments.team)
    finder = HostFinder()
    obstacle = finder.obstacle()
    if arguments.stop:
        rows = list(finder.stop())
        well = all(ended for _, _, ended in rows)
        sentences = [_ending(name, status, ended=ended) for name, status, ended in rows]
        plain = [{**_plain(name, status), "ended": ended} for name, status, ended in rows]
    else:
        found = list(finder.status())
        well = all(status is not None for _, status in found)
        sentences = [sentence_of(name, status) for name, status in found]
        plain = [_plain(name, status) for name, status in found]
    if arguments.json:
        sys.stdout.write(json.dumps({"obstacle": obstacle, "hosts": plain}) + "\n")
        return 0 if well else 1
    console = Console(highlight=False, markup=False)
    if obstacle is not None:
        console.print(f"No windows share a process here: {obstacle}.", soft_wrap=True)
    elif not sentences:
        console.print("No shared process runs: the first window that wants a model starts one.", soft_wrap=True)
    for sentence in sentences:
        console.print(sentence, soft_wrap=True)
    return 0 if well else 1


def _make_key(name: str) -> int:
    from dovetail.team.keys import new_key

    key, digest = new_key()
    sys.stdout.write(f'{key}\n\n[[keys]]\nname = "{name}"\nsha256 = "{digest}"\n')
    return 0


def _serve_team(path: Path) -> int:
    # Only here: other uses of the command need no HTTP server.
    try:
        from dovetail.team.serving import serve_team
    except ModuleNotFoundError as error:
        if error.name != "uvicorn":
            raise
        raise CommandError("`dovetail host --team` needs an HTTP server: pip install 'dovetail[host]'.") from None
    from dovetail.team.configuration import TeamConfigurationError, read_configuration

    def listening(_: object, renew: Callable[[], None]) -> None:
        if sys.platform != "win32":
            signal.signal(signal.SIGUSR1, lambda *_: renew())  # not SIGHUP, which comes when a terminal is closed

    def tell(sentence: str) -> None:
        sys.stdout.write(sentence + "\n")
        sys.stdout.flush()

    try:
        asyncio.run(
            serve_team(read_configuration(path), tell, listening=listening, read=lambda: read_configuration(path))
        )
    except TeamConfigurationError as error:
        raise CommandError(str(error)) from None
    return 0


def sentence_of(name: str, status: HostStatus | None) -> str:
    """Return a sentence about a host; `status` is None if it does not answer."""
    if status is None:
        return f"The shared process {name} does not answer: `dovetail host --stop` ends it."
    model = "a model that is being loaded" if status.model is None else f"the model {status.model}"
    memory = "" if status.memory is None else f" in {status.memory / 1e6:,.0f} MB"
    ends = "" if status.ends_in is None else f"; it ends in {status.ends_in / 60:.0f} min"
    return f"Process {status.process} holds {model}{memory} for {_windows(status.windows)}{ends}."


def _ending(name: str, status: HostStatus | None, *, ended: bool) -> str:
    if not ended:
        return f"The shared process {name} could not be ended: end it by hand."
    if status is None:
        return f"The shared process {name} did not answer, and was killed."
    again = f"; {_windows(status.windows)} will start another" if status.windows else ""
    return f"Process {status.process} has ended{again}."


def _windows(count: int) -> str:
    return {0: "no window", 1: "1 window"}.get(count, f"{count} windows")


def _plain(name: str, status: HostStatus | None) -> dict[str, Any]:
    return {"name": name, **({"answers": False} if status is None else {"answers": True, **asdict(status)})}
