"""Loading and saving without the bars that transformers draws."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from transformers.utils import logging

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def no_bars() -> Iterator[None]:
    """Draw nothing meanwhile: a protocol may be spoken there, or a display of our own be shown."""
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
