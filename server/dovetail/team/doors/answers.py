"""Answers in the shapes that the clients of other programs read, whole and as events of a stream."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from dovetail.team.doors.window_request import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dovetail.team.doors.window_request import WindowRequest

_NO_MORE = "data: [DONE]\n\n"
_OBJECTS = {Form.TEXT: "text_completion", Form.MESSAGE: "chat.completion"}


class Answered(NamedTuple):
    """The texts that answer a request, with what the host says about them."""

    identity: str
    model: str
    created: int
    """Seconds since 1970."""
    texts: Sequence[str]
    """Empty where nothing fits."""
    limited: bool = False
    """True if the greatest number of tokens, or the time, ended a text."""


def whole(asked: WindowRequest, answered: Answered) -> dict[str, Any]:
    """Return an answer as one object."""
    texts = list(answered.texts) or [""]  # Clients read the first choice without a look at their number.
    if asked.form is Form.RESPONSE:
        return {**_response(texts[0], answered), "done": True, "done_reason": "length" if answered.limited else "stop"}
    if asked.form is Form.CONTENT:
        return {
            "content": texts[0],
            "stop": True,
            "stop_type": "limit" if answered.limited else "eos",
            "model": answered.model,
        }
    return {
        "id": answered.identity,
        "object": _OBJECTS[asked.form],
        "created": answered.created,
        "model": answered.model,
        "choices": [_choice(asked.form, index, text, answered) for index, text in enumerate(texts)],
    }


def events(asked: WindowRequest, answered: Answered) -> Iterator[str]:
    """Yield an answer as events of a stream: each text as one piece, then the end."""
    if asked.form is Form.RESPONSE:
        # Ollama's streams are lines of JSON; the last holds no text.
        text = next(iter(answered.texts), "")
        yield _line({**_response(text, answered), "done": False})
        yield _line({**whole(asked, answered), "response": ""})
        return
    for index, text in enumerate(list(answered.texts) or [""]):
        if asked.form is Form.CONTENT:
            yield _event({"content": text, "stop": False})
            continue
        piece = _choice(asked.form, index, text, answered, piece=True)
        name = "chat.completion.chunk" if asked.form is Form.MESSAGE else _OBJECTS[asked.form]
        yield _event({**whole(asked, answered), "object": name, "choices": [piece]})
    if asked.form is Form.CONTENT:
        # llama.cpp ends its streams with the event that says so.
        yield _event({**whole(asked, answered), "content": ""})
    else:
        yield _NO_MORE


def as_json(value: dict[str, Any]) -> str:
    """Return an answer as JSON without blanks between its parts: llama.vim looks for `"content":"` in it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def kind_of(asked: WindowRequest) -> bytes:
    """Return the content type of an answer."""
    if not asked.stream:
        return b"application/json"
    return b"application/x-ndjson" if asked.form is Form.RESPONSE else b"text/event-stream"


def refusal(message: str, path: str = "") -> dict[str, Any]:
    """Return the answer to a request that cannot be answered, as the clients of a door read it."""
    if path.startswith("/api/"):
        return {"error": message}
    return {"error": {"message": message, "type": "invalid_request_error"}}


def _choice(form: Form, index: int, text: str, answered: Answered, *, piece: bool = False) -> dict[str, Any]:
    end = {"index": index, "finish_reason": "length" if answered.limited else "stop"}
    if form is Form.TEXT:
        return {**end, "text": text, "logprobs": None}
    return {**end, "delta" if piece else "message": {"role": "assistant", "content": text}}


def _response(text: str, answered: Answered) -> dict[str, Any]:
    """Return the fields that each piece of an answer to Ollama's clients has."""
    created = datetime.fromtimestamp(answered.created, UTC)
    return {"model": answered.model, "created_at": f"{created:%Y-%m-%dT%H:%M:%SZ}", "response": text}


def _line(value: dict[str, Any]) -> str:
    return f"{as_json(value)}\n"


def _event(value: dict[str, Any]) -> str:
    return f"data: {as_json(value)}\n\n"
