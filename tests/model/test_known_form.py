"""The form of prompt that a model knows: small models that were trained in each, and what is remembered of them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import platformdirs
import pytest
import torch
from tests.hosted import hosted_model

from dovetail.decoding.formats import LEFT_ONLY, Side, forms_for
from dovetail.decoding.probing import KnownPlace, choose, probe
from dovetail.model import known_form
from dovetail.model.hosting import load_model
from dovetail.model.publication import publish
from dovetail.model.recipe import PRESETS
from dovetail.model.training import new_model

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizers import Tokenizer

    from dovetail.decoding.formats import PromptForm

STEPS, ROWS = 300, 16

FORMS = forms_for({"<fim_prefix>": 0, "<fim_suffix>": 1, "<fim_middle>": 2})
"""StarCoder's two, Mellum's, which has the same tokens, and the left text alone."""

NAMES = ("json", "self", "key", "value", "float", "string", "default", "indent")


def places(count: int, seed: int) -> list[KnownPlace]:
    """Return short places whose middle is a name that follows from the text after the cursor alone."""
    choice = random.Random(seed)
    found = []
    for _ in range(count):
        name = choice.choice(NAMES)
        found.append(KnownPlace("import", f" {name}", f"\n\n{name}.load({choice.choice(NAMES)})\n"))
    return found


def sample(form: PromptForm, place: KnownPlace, tokenizer: Tokenizer) -> list[int]:
    """Return the tokens of a place as the form puts them, with its middle and an end."""
    sides = {Side.LEFT: place.left, Side.RIGHT: place.right}
    tokens: list[int] = []
    for part in (*form.parts, place.middle, "<|endoftext|>"):
        assert isinstance(part, str | Side)
        special = tokenizer.token_to_id(part) if isinstance(part, str) else None
        tokens += tokenizer.encode(part if isinstance(part, str) else sides[part]).ids if special is None else [special]
    return tokens


def trained(form: PromptForm, tokenizer: Tokenizer, folder: Path) -> Path:
    """Return the folder of a small model that was trained in one form."""
    torch.manual_seed(5)
    model = new_model(PRESETS["tiny"], tokenizer)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for step in range(STEPS):
        rows = [sample(form, place, tokenizer) for place in places(ROWS, step)]
        longest = max(map(len, rows))
        inputs = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        padding = torch.tensor([[place >= len(row) for place in range(longest)] for row in rows])
        optimizer.zero_grad()
        model(input_ids=inputs, labels=inputs.masked_fill(padding, -100)).loss.backward()
        optimizer.step()
    publish(model, tokenizer, folder, "A small model.\n")
    return folder


@pytest.fixture(name="_own_cache", autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _: tmp_path / "cache")


@pytest.mark.parametrize("form", FORMS, ids=[form.name for form in FORMS])
def test_a_model_is_asked_as_it_was_trained(form: PromptForm, tokenizer: Tokenizer, tmp_path: Path) -> None:
    """Of four models with the same tokens each is asked in the form that it was trained in."""
    model = hosted_model(str(trained(form, tokenizer, tmp_path / "model")))

    assert choose(FORMS, probe(model, FORMS, places(8, -1))) == form


def test_a_model_is_probed_once_for_each_revision(toy: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The form that was found is remembered until a file of the model changes."""
    probes: list[int] = []

    def count(_: object, forms: tuple[PromptForm, ...]) -> list[float]:
        probes.append(len(forms))
        return [0.0 if form.format.name == LEFT_ONLY else -5.0 for form in forms]

    monkeypatch.setattr(known_form, "probe", count)

    forms = [load_model(str(toy)).form for _ in range(2)]  # type: ignore[attr-defined]
    assert [form.format.name for form in forms] == [LEFT_ONLY] * 2
    assert probes == [4]

    moved = tmp_path / "moved"
    toy_files = list(toy.iterdir())
    moved.mkdir()
    for file in toy_files:
        (moved / file.name).write_bytes(file.read_bytes())
    load_model(str(moved))
    assert probes == [4, 4]
