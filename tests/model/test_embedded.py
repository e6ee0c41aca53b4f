"""Promises of the model that comes with the package."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import torch
from safetensors.torch import load_file

from dovetail.model.hosting import EMBEDDED
from dovetail.model.publication import rounded

if TYPE_CHECKING:
    from dovetail.model.hosted import HostedModel

LEFT = "import os\n\ndef size(path):\n    total = 0\n    for name in os.listdir(path):\n        total += "
RIGHT = "\n    return total\n"


def prompt(embedded: HostedModel, left: str, right: str) -> list[int]:
    special = embedded.vocabulary.specials
    return [
        special["<fim_prefix>"],
        *embedded.encode(left),
        special["<fim_suffix>"],
        *embedded.encode(right),
        special["<fim_middle>"],
    ]


def score(embedded: HostedModel, tokens: list[int], middle: list[int]) -> float:
    """Return the mean log-probability of the middle's tokens."""
    generation = embedded.begin(tokens)
    total = 0.0
    for token in middle:
        total += dict(generation.ranked(len(embedded.vocabulary.pieces)))[token]
        generation.feed(token)
    return total / len(middle)


def test_embedded_model_is_small_and_complete() -> None:
    """The folder holds everything to host it, with a card, and takes at most 25 MB where files are packed."""
    files = {path.name: path.read_bytes() for path in EMBEDDED.iterdir()}

    assert {
        "README.md",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    } <= set(files)
    assert sum(len(zlib.compress(data)) for data in files.values()) <= 25_000_000


def test_embedded_weights_have_eight_bits() -> None:
    """32 numbers of a row are whole numbers up to 127 times one power of two; that is why they can be packed."""
    for name, weights in load_file(EMBEDDED / "model.safetensors").items():
        assert torch.equal(rounded(weights), weights.float()), name


def test_embedded_model_fills_in_the_middle(embedded: HostedModel) -> None:
    """It has the tokens of a fill-in-the-middle format, an end, and room for a page of code."""
    assert {"<fim_prefix>", "<fim_suffix>", "<fim_middle>"} <= set(embedded.vocabulary.specials)
    assert embedded.vocabulary.ends
    assert embedded.window >= 512
    assert embedded.name == "embedded"


def test_embedded_model_knows_python(embedded: HostedModel) -> None:
    """A sensible middle is far likelier than by chance, and likelier than the same tokens backwards."""
    tokens = prompt(embedded, LEFT, RIGHT)
    middle = embedded.encode("os.path.getsize(os.path.join(path, name))")
    by_chance = -8.7

    assert score(embedded, tokens, middle) > by_chance / 2
    assert score(embedded, tokens, middle) > score(embedded, tokens, middle[::-1]) + 1


def test_embedded_model_ends_a_middle(embedded: HostedModel) -> None:
    """After the rest of a line it is likelier to end than after half of it."""
    (end,) = embedded.vocabulary.ends

    def ending(middle: str) -> float:
        generation = embedded.begin([*prompt(embedded, LEFT, RIGHT), *embedded.encode(middle)])
        return dict(generation.ranked(len(embedded.vocabulary.pieces)))[end]

    assert ending("os.path.getsize(name)") > ending("os.path.getsize(") + 1
