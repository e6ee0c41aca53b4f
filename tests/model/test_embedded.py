"""Promises of the model that comes with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.model.hosting import EMBEDDED

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
    """The folder holds everything to host it, in at most 20 MB, with a card."""
    files = {path.name: path.stat().st_size for path in EMBEDDED.iterdir()}

    assert {
        "README.md",
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    } <= set(files)
    assert sum(files.values()) <= 20_000_000


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
