"""Redaction of logs, which must not hold text of documents.

Messages of libraries and of exceptions may quote the user's text.
"""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType


class RedactingFormatter(logging.Formatter):
    """Writes the kind of an exception and the places in the code, but not its message."""

    def formatException(  # noqa: N802 - the name is that of logging
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        """Return the kinds of the exceptions and their places in the code, from the first cause to the last."""
        parts: list[str] = []
        error = ei[1]
        while error is not None:
            parts[:0] = [*traceback.format_tb(error.__traceback__), f"{type(error).__qualname__}\n"]
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "".join(parts).rstrip()


def without_contents(record: logging.LogRecord) -> bool:
    """Remove from a library's record the parts that may hold text of messages; return True."""
    library = record.name.partition(".")[0]
    if library == "pygls":
        record.args = ()  # they include whole messages; the bare template stays
    elif library == "asyncio":
        record.msg, record.args = "An exception was raised outside of any request.", ()
    return True
