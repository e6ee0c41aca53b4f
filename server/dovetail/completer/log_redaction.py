"""What a log may say without telling what stands in a document.

What a library puts into its messages, and what an exception says beside its kind, may hold the user's text.
"""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType


class Discreet(logging.Formatter):
    """Writes of an exception its kind and where it was raised."""

    def formatException(  # noqa: N802 - the name is that of logging
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        """Return the places in the code from the first cause to the exception, and the kind of each."""
        parts: list[str] = []
        error = ei[1]
        while error is not None:
            parts[:0] = [*traceback.format_tb(error.__traceback__), f"{type(error).__qualname__}\n"]
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "".join(parts).rstrip()


def without_contents(record: logging.LogRecord) -> bool:
    """Take out of a library's record what may hold parts of messages."""
    library = record.name.partition(".")[0]
    if library == "pygls":
        record.args = ()  # whole messages are among them; what is written then is the template
    elif library == "asyncio":
        record.msg, record.args = "An exception was raised outside of any request.", ()
    return True
