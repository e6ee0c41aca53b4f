"""`dovetail play`: a page in the browser that shows the engine at work."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path

from dovetail.commands.dialect import name_dialect
from dovetail.commands.error import CommandError
from dovetail.commands.place import read_place
from dovetail.play.page_server import PageServer
from dovetail.play.playground import LONGEST, Playground, StartingText

EPILOG = """\
examples:
  dovetail play                                 play with the samples of the languages
  dovetail play src/orders.py:12:5              begin with a text of your own
  dovetail play --grammar lists.lark            play with a grammar of your own while you write it
  dovetail play --no-browser --port 8000        print the address alone

exit codes:
  0  the interrupt key has ended it
  2  the command is wrong, or the file or the port cannot be used
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.epilog = EPILOG
    parser.add_argument(
        "place", metavar="FILE[:LINE:COLUMN]", nargs="?",
        help="begin with the text of a file, and with the cursor there, or at its beginning; the file is not changed",
    )  # fmt: skip
    parser.add_argument(
        "--grammar", type=Path, metavar="FILE",
        help="offer the language of this .lark file too, read anew whenever it changes",
    )  # fmt: skip
    parser.add_argument("--port", type=_port, default=0, metavar="PORT", help="the port on 127.0.0.1 (default: any)")
    parser.add_argument("--no-browser", action="store_true", help="print the page's address and open no browser")


def run(arguments: argparse.Namespace) -> int:
    """Serve the page until the interrupt key; return 0.

    Raises CommandError for a wrong place, for a grammar that is no file, and for a port that cannot be used.
    """
    server = _server(arguments)
    with server:
        sys.stdout.write(f"The page is at {server.url}\nThe interrupt key (Ctrl-C) ends it.\n")
        sys.stdout.flush()
        if not arguments.no_browser:
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            sys.stdout.write("\n")
    return 0


def _server(arguments: argparse.Namespace) -> PageServer:
    grammar: Path | None = arguments.grammar
    if grammar is not None and not (grammar.suffix == ".lark" and grammar.is_file()):
        raise CommandError(f"{grammar}: this is no grammar; name a file that ends in .lark.")
    start = None
    if arguments.place is not None:
        is_whole = Path(arguments.place).is_file()
        place = read_place(f"{arguments.place}:1:1" if is_whole else arguments.place)
        if len(place.text) > LONGEST:
            raise CommandError(f"{place.path}: the page takes texts of up to {LONGEST:,} characters; choose another.")
        language = str(grammar) if grammar is not None else name_dialect(str(place.path), place.text)
        start = StartingText(language, place.left, place.right)
    try:
        return PageServer(Playground(grammar, start), arguments.port)
    except OSError as error:
        message = f"The port {arguments.port} cannot be used ({error.strerror or error}): name another."
        raise CommandError(message) from None


def _port(written: str) -> int:
    port = int(written) if written.isdecimal() else -1
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {written}")
    return port
