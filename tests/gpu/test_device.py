"""LocalCompleter on a CUDA device, and the script that measures there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
import torch
from tests.gpu import speed
from tests.hosted import hosted_model

import dovetail
from dovetail.decoding.decoder import complete

if TYPE_CHECKING:
    from collections.abc import Callable

DEVICE = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here")


@pytest.mark.gpu
@DEVICE
def test_the_embedded_model_completes_on_the_device() -> None:
    """Weights and cache are on the device, and what is written there parses in its place."""
    model = hosted_model()
    language = dovetail.load_language("python", target="3.11")
    left, right = "def area(width, height):\n    return ", "\n\nprint(area(2, 3))\n"

    completion = complete(model, lambda: language.quotient(left, right), left, right)

    assert model._model.device.type == "cuda"
    assert completion.text is not None
    ast.parse(left + completion.text + right)


def test_the_true_text_is_proposed_first() -> None:
    """A guided model ranks the true text first, token by token, and its own ranking after the end of that."""
    model = speed.random_model("tiny", torch.device("cpu"))
    model.script = model.encode("return width * height")
    generation = model.begin(model.encode("x = 1\n"))

    written = []
    for _ in model.script:
        assert generation.scores([generation.ranked(3)[0][0]]) == [0.0]
        written.append(generation.ranked(3)[0][0])
        generation.feed(written[-1])

    assert written == list(model.script)
    assert len({token for token, _ in generation.ranked(8)}) == 8
    assert generation.ranked(1)[0][1] < 0


def test_the_script_measures(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The script prints the three speeds, on a processor too where it is told so."""
    absent: Callable[[], bool] = lambda: False  # noqa: E731
    monkeypatch.setattr(torch.cuda, "is_available", absent)

    assert speed.main([]) == 2
    assert speed.main(["--cpu", "--size", "tiny", "--count", "2"]) in (0, 1)

    printed = capsys.readouterr().out
    assert "tokens a" in printed
    assert "the model" in printed
