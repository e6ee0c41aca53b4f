"""The log of a long-running command: its destination, and the rule that it holds no text of documents.

Above the level `debug` a record says what happened and where in the code; what a library puts into its messages, and
what an exception says beside its kind, may hold the user's text and is left out.
"""

from __future__ import annotations

import logging
import sys
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

from dovetail.commands.error import CommandError
from dovetail.completer.log_redaction import RedactingFormatter, without_contents

if TYPE_CHECKING:
    from pathlib import Path

LEVELS = ("debug", "info", "warning", "error")

_MOST_BYTES = 10 << 20
"""The size of a log file at which it is renamed and a new one begins."""


def begin_log(level: str | None, path: Path | None) -> None:
    """Log to a file, or else to stderr, from now on; records below the level are left out.

    Without a level that is `info` in a file and `warning` on stderr. Raises CommandError for a file that cannot be
    written.
    """
    level = level or ("warning" if path is None else "info")
    handler: logging.Handler
    if path is None:
        handler, form = logging.StreamHandler(sys.stderr), "dovetail: %(message)s"
    else:
        try:
            handler = RotatingFileHandler(path, maxBytes=_MOST_BYTES, backupCount=1, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"The log file {path} cannot be written ({error.strerror}): name another.") from None
        form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    tells_all = level == "debug"
    handler.setFormatter(logging.Formatter(form) if tells_all else RedactingFormatter(form))
    if not tells_all:
        handler.addFilter(without_contents)
        # pygls warns of events that are in order, such as a cancellation that crossed its answer.
        logging.getLogger("pygls").setLevel(logging.ERROR)
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
