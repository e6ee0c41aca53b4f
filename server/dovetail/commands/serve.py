"""`dovetail serve`: the language server."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.commands.error import CommandError
from dovetail.commands.log import LEVELS, begin_log
from dovetail.commands.model_option import SERVED_MODEL_HELP
from dovetail.completer.gc_pauses import Collector
from dovetail.completer.host.finder import HostFinder
from dovetail.completer.remote import RemoteCompleter
from dovetail.completer.team.completer import TeamCompleter
from dovetail.lsp.server import Server
from dovetail.lsp.transport import listen, serve_connection, serve_streams
from dovetail.settings import Settings
from dovetail.statistics.recorder import Recorder
from dovetail.statistics.storage import Storage

if TYPE_CHECKING:
    import socket

    from dovetail.lsp.metrics import Metrics

_PATIENCE = 1.0
"""Seconds after which the worker's thread is not waited for any longer; its process is ended before."""

_SWITCHING = 0.001
"""The interval in seconds at which threads take turns; Python's own is five times as long."""


EPILOG = """\
examples:
  dovetail serve                                         what editors run
  dovetail serve --tcp 4567                              for an editor that connects
  dovetail serve --log-file dovetail.log --log-level debug

exit codes:
  0  the client ended the session in order
  1  the client went away without ending it
  2  the command is wrong, or a port or file cannot be used
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    transport = parser.add_mutually_exclusive_group()
    transport.add_argument("--stdio", action="store_true", help="talk over stdin and stdout (the default)")
    transport.add_argument(
        "--tcp", type=_port, metavar="PORT", help="wait for one client on this port of 127.0.0.1 (0: any)"
    )
    parser.add_argument("--model", metavar="MODEL", help=SERVED_MODEL_HELP)
    parser.add_argument(
        "--metrics", type=_port, metavar="PORT",
        help="serve numbers for Prometheus on this port of 127.0.0.1 (0: any); they hold no text of documents",
    )  # fmt: skip
    parser.add_argument("--log-file", type=Path, metavar="FILE", help="write the log there instead of to stderr")
    parser.add_argument(
        "--log-level", choices=LEVELS,
        help="the least severity of a record (default: info in a file, warning on stderr); "
        "only debug writes texts of documents",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Serve one session; return 0 if the client ended it in order, 1 if not.

    Raises SettingsError and CommandError for what the user has to mend.
    """
    # Editors show what a server writes to stderr as errors, so there is little of it.
    begin_log(arguments.log_level, arguments.log_file)
    # The interrupt key ends the process at once: the thread that reads cannot be woken, and nothing is lost.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    overrides = {} if arguments.model is None else {"model": arguments.model}
    Settings.from_mapping(overrides)
    completer = TeamCompleter(RemoteCompleter(hosts=HostFinder()))
    server = Server(completer, overrides, None if arguments.metrics is None else _metrics(arguments.metrics))
    server.session.collector = Collector()
    server.session.statistics.recorder = recorder = Recorder(Storage())
    # The event loop waits so long at most for a thread that computes; it answers a request in a few such turns.
    sys.setswitchinterval(_SWITCHING)
    if arguments.tcp is None:
        serve_streams(server.protocol)
    else:
        serve_connection(server.protocol, _listener(arguments.tcp))
    completer.abandon()
    server.session.end_work(_PATIENCE)
    recorder.close()
    return 0 if server.session.shut_down else 1


def _listener(port: int) -> socket.socket:
    try:
        return listen(port)
    except OSError as error:
        raise _taken(port, error) from None


def _metrics(port: int) -> Metrics:
    from dovetail.lsp.metrics import Metrics

    metrics = Metrics()
    try:
        address = metrics.publish(port)
    except OSError as error:
        raise _taken(port, error) from None
    sys.stderr.write(f"Dovetail's metrics are at {address}\n")
    sys.stderr.flush()
    return metrics


def _taken(port: int, error: OSError) -> CommandError:
    return CommandError(f"The port {port} cannot be used ({error.strerror or error}): name another.")


def _port(written: str) -> int:
    port = int(written) if written.isdecimal() else -1
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {written}")
    return port
