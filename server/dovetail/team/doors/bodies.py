"""Bodies of requests, as the clients of other programs send them, read into `WindowRequest`.

Unknown fields are passed over: clients send those of the server that they were made for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dovetail.team.doors.heading import without_heading
from dovetail.team.doors.marks import take_apart
from dovetail.team.doors.window_request import BodyError, Form, WindowRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_COMPLETIONS = 8
_SNIPPETS = (
    "declarations",
    "relevant_snippets_from_changed_files",
    "relevant_snippets_from_recently_opened_files",
)
"""The fields of Tabby's segments that hold parts of other files."""


def read_completion(body: Mapping[str, Any]) -> WindowRequest:
    """Return what a body of `/v1/completions` asks: OpenAI's with `suffix` or marks, or Tabby's with `segments`.

    Raises BodyError for a body that cannot be answered.
    """
    return _segments(body) if "segments" in body else _prompted(body, Form.TEXT)


def read_fim(body: Mapping[str, Any]) -> WindowRequest:
    """Return what a body of `/v1/fim/completions` asks; raises BodyError for one that cannot be answered."""
    return _prompted(body, Form.MESSAGE)


def read_infill(body: Mapping[str, Any]) -> WindowRequest:
    """Return what a body of llama.cpp's `/infill` asks; raises BodyError for one that cannot be answered."""
    extra = _value(body, "input_extra", list) or []
    context = "\n".join(part["text"] for part in extra if isinstance(part, dict) and isinstance(part.get("text"), str))
    return WindowRequest(
        Form.CONTENT,
        # `prompt` stands after the mark of the middle, so it goes on with the text before the cursor.
        (_value(body, "input_prefix", str) or "") + (_value(body, "prompt", str) or ""),
        _value(body, "input_suffix", str) or "",
        context=context,
        model=_value(body, "model", str),
        most_tokens=_count(body, "n_predict", endless=True),
        milliseconds=_count(body, "t_max_predict_ms"),
        temperature=_number(body, "temperature"),
        stops=_stops(body),
        count=_completions(body, "n_cmpl"),
        stream=bool(_value(body, "stream", bool)),
    )


def read_generate(body: Mapping[str, Any]) -> WindowRequest:
    """Return what a body of Ollama's `/api/generate` asks; raises BodyError for one that cannot be answered.

    A body without a prompt has the model loaded, and nothing written.
    """
    prompt, suffix = _value(body, "prompt", str), _value(body, "suffix", str)
    options = _value(body, "options", dict) or {}
    left, right, context = _window(prompt or "", suffix)
    return WindowRequest(
        Form.RESPONSE,
        left,
        right,
        context=context,
        model=_value(body, "model", str),
        most_tokens=_count(options, "num_predict", endless=True) if prompt or suffix else 0,
        temperature=_number(options, "temperature"),
        stops=_stops(options),
        stream=_value(body, "stream", bool) is not False,
    )


def _prompted(body: Mapping[str, Any], form: Form) -> WindowRequest:
    prompt = _value(body, "prompt", str)
    if prompt is None:
        raise BodyError("The field `prompt` is missing; send the text before the cursor there.")
    suffix = _value(body, "suffix", str)
    left, right, context = _window(prompt, suffix)
    left, language = without_heading(left)
    return WindowRequest(
        form,
        left,
        right,
        context=context,
        language=_value(body, "language", str) or language,
        model=_value(body, "model", str),
        most_tokens=_count(body, "max_tokens"),
        temperature=_number(body, "temperature"),
        stops=_stops(body),
        count=_completions(body, "n"),
        stream=bool(_value(body, "stream", bool)),
    )


def _window(prompt: str, suffix: str | None) -> tuple[str, str, str]:
    """Return left text, right text and context of a prompt with a suffix, or with marks."""
    # A client that sends a suffix of its own has left the marks to the host: any in its prompt belong to the file.
    marked = take_apart(prompt) if not suffix else None
    return (prompt, suffix or "", "") if marked is None else marked


def _segments(body: Mapping[str, Any]) -> WindowRequest:
    segments = _value(body, "segments", dict)
    if segments is None:
        raise BodyError("The field `segments` is empty; send `prefix` and `suffix` in it.")
    parts = [
        part["body"]
        for name in _SNIPPETS
        for part in _value(segments, name, list) or []
        if isinstance(part, dict) and isinstance(part.get("body"), str)
    ]
    return WindowRequest(
        Form.TEXT,
        _value(segments, "prefix", str) or "",
        _value(segments, "suffix", str) or "",
        context="\n".join(parts),
        language=_value(body, "language", str),
        path=_value(segments, "filepath", str),
        temperature=_number(body, "temperature"),
    )


def _value(body: Mapping[str, Any], name: str, kind: type) -> Any:
    """Return a field of a body, or None where it is absent or null; raises BodyError for another kind of value."""
    value = body.get(name)
    if value is not None and not isinstance(value, kind):
        raise BodyError(f"The field `{name}` is of type {type(value).__name__}; send {kind.__name__}.")
    return value


def _number(body: Mapping[str, Any], name: str) -> float | None:
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BodyError(f"The field `{name}` is no number; send one.")
    return float(value)


def _count(body: Mapping[str, Any], name: str, *, endless: bool = False) -> int | None:
    """Return a number that is not negative; with `endless`, -1 stands for no limit."""
    value = _number(body, name)
    if value is None or (endless and value < 0):
        return None
    if value < 0:
        raise BodyError(f"The field `{name}` is {value:g}; send a number of 0 or more.")
    return int(value)


def _completions(body: Mapping[str, Any], name: str) -> int:
    count = _count(body, name)
    return min(max(count or 1, 1), _MOST_COMPLETIONS)


def _stops(body: Mapping[str, Any]) -> tuple[str, ...]:
    value = body.get("stop")
    if isinstance(value, str):
        return (value,)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise BodyError("The field `stop` is no text; send a text or a list of texts.")
    return tuple(each for each in value if each)
