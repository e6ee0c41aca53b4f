"""WindowRequest: what a client of another program wants, whichever door it came by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """The shape of the answer that a client reads."""

    TEXT = "text"
    """`choices[].text`, as of `/v1/completions`."""
    MESSAGE = "message"
    """`choices[].message.content`, or `delta` in a stream, as of `/v1/fim/completions`."""
    CONTENT = "content"
    """`content`, as of llama.cpp's `/infill`."""
    RESPONSE = "response"
    """`response`, as of Ollama's `/api/generate`; a stream has a line of JSON for each piece."""


@dataclass(frozen=True, slots=True)
class WindowRequest:
    """One request for completions of a window."""

    form: Form
    left: str
    right: str
    context: str = ""
    """Text of other files, which stands before the prompt and is no part of the window."""
    language: str | None = None
    """The name of the language, if the client tells it."""
    path: str | None = None
    model: str | None = None
    most_tokens: int | None = None
    """The greatest number of tokens; 0 to read the prompt alone, None for the host's own limit."""
    milliseconds: int | None = None
    """The time that the client gives for the answer."""
    temperature: float | None = None
    stops: tuple[str, ...] = ()
    count: int = 1
    """The number of completions."""
    stream: bool = False


class BodyError(ValueError):
    """A body that cannot be answered; the text says what is wrong and what to send."""
