"""The answers in the shapes that clients read."""

from __future__ import annotations

import json

import pytest

from dovetail.team.doors.answers import Answered, as_json, events, whole
from dovetail.team.doors.window_request import Form, WindowRequest

ANSWERED = Answered("a1", "dovetail", 7, ["x\n", "é"])


def test_texts() -> None:
    """OpenAI's clients read `choices[].text`, one for each text."""
    answer = whole(WindowRequest(Form.TEXT, "", ""), ANSWERED)

    assert [choice["text"] for choice in answer["choices"]] == ["x\n", "é"]
    assert [choice["index"] for choice in answer["choices"]] == [0, 1]


def test_messages() -> None:
    """Clients of `/v1/fim/completions` read `choices[].message.content`."""
    answer = whole(WindowRequest(Form.MESSAGE, "", ""), ANSWERED)

    assert [choice["message"]["content"] for choice in answer["choices"]] == ["x\n", "é"]


def test_content() -> None:
    """Clients of `/infill` read `content`."""
    assert whole(WindowRequest(Form.CONTENT, "", ""), ANSWERED)["content"] == "x\n"


def test_a_colon_is_followed_by_its_value() -> None:
    """llama.vim throws an answer away that does not hold `"content":"`, with no blank after the colon."""
    asked = WindowRequest(Form.CONTENT, "", "")

    assert '"content":"x' in as_json(whole(asked, ANSWERED))
    assert '"content":"x' in next(events(asked, ANSWERED))


@pytest.mark.parametrize("form", Form)
def test_nothing(form: Form) -> None:
    """A client reads an empty text where nothing fits: many read the first choice unasked."""
    answer = whole(WindowRequest(form, "", ""), ANSWERED._replace(texts=[]))
    texts = {
        Form.TEXT: lambda: answer["choices"][0]["text"],
        Form.MESSAGE: lambda: answer["choices"][0]["message"]["content"],
        Form.CONTENT: lambda: answer["content"],
        Form.RESPONSE: lambda: answer["response"],
    }

    assert texts[form]() == ""


def test_lines() -> None:
    """A stream to Ollama's clients is lines of JSON, whose last says that and why it ends."""
    lines = list(events(WindowRequest(Form.RESPONSE, "", ""), ANSWERED._replace(texts=["x\n"], limited=True)))
    pieces = [json.loads(line) for line in lines]

    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    assert [(piece["response"], piece["done"]) for piece in pieces] == [("x\n", False), ("", True)]
    assert pieces[-1]["done_reason"] == "length"
    assert {piece["created_at"] for piece in pieces} == {"1970-01-01T00:00:07Z"}


@pytest.mark.parametrize("form", [each for each in Form if each is not Form.RESPONSE])
def test_stream(form: Form) -> None:
    """The pieces of a stream add up to the text, and the stream says where it ends."""
    lines = list(events(WindowRequest(form, "", "", stream=True), ANSWERED._replace(texts=["x\n"], limited=True)))
    assert all(line.startswith("data: ") and line.endswith("\n\n") for line in lines)
    data = [line.removeprefix("data: ").strip() for line in lines]
    pieces = [json.loads(line) for line in data if line != "[DONE]"]
    if form is Form.CONTENT:
        assert "".join(piece["content"] for piece in pieces) == "x\n"
        assert [piece["stop"] for piece in pieces] == [False, True]
        assert pieces[-1]["stop_type"] == "limit"
        return
    choices = [piece["choices"][0] for piece in pieces]
    texts = [choice["text"] if form is Form.TEXT else choice["delta"]["content"] for choice in choices]
    assert "".join(texts) == "x\n"
    assert choices[-1]["finish_reason"] == "length"
    assert data[-1] == "[DONE]"
