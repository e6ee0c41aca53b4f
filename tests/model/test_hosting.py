"""Models from folders and names, and what they propose."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.hosted import hosted_model, random_model
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    Gemma2Config,
    GPT2Config,
    GPTBigCodeConfig,
    LlamaConfig,
    LlamaForCausalLM,
    MambaConfig,
    MistralConfig,
    Qwen2Config,
)

from dovetail.decoding.cache_weights import COUNT, LEVELS
from dovetail.decoding.cached_proposer import CachedProposer
from dovetail.model.error import ModelError
from dovetail.model.hosting import CACHE, cache_weights, load_model

if TYPE_CHECKING:
    from pathlib import Path

    from transformers import PreTrainedConfig

    from dovetail.model.hosted import HostedModel

PROMPT = "import json\n\ndef dump(value, file):\n    "


@pytest.fixture(name="hosted", scope="module")
def _hosted(toy: Path) -> HostedModel:
    return hosted_model(str(toy))


SLIDING = (
    MistralConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
        sliding_window=6,
    ),
    Gemma2Config(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
        head_dim=16, sliding_window=6,
    ),
)  # fmt: skip
"""Models that look back over a window: all of their layers, or every other."""


def greedy(hosted: HostedModel, tokens: list[int], count: int) -> list[int]:
    """Write with one generation, which keeps its keys and values."""
    generation = hosted.begin(tokens)
    written = []
    for _ in range(count):
        written.append(generation.ranked(1)[0][0])
        generation.feed(written[-1])
    return written


@pytest.mark.parametrize(
    "config",
    [
        GPT2Config(n_embd=32, n_layer=2, n_head=2),
        GPTBigCodeConfig(n_embd=32, n_layer=2, n_head=2),
        Qwen2Config(
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            tie_word_embeddings=True,
        ),
        MambaConfig(hidden_size=32, num_hidden_layers=2, state_size=4),
        *SLIDING,
    ],
    ids=lambda config: config.model_type,
)
def test_causal_models_of_any_kind_are_hosted(config: PreTrainedConfig, toy: Path, tmp_path: Path) -> None:
    """Other architectures, with another kind of cache or none, write what they would without one."""
    hosted = of_architecture(config, toy, tmp_path / "other")
    prompt = hosted.encode(PROMPT)
    expected: list[int] = []
    for _ in range(8):
        expected.append(hosted.begin([*prompt, *expected]).ranked(1)[0][0])

    assert greedy(hosted, prompt, 8) == expected


@pytest.mark.parametrize("config", SLIDING, ids=lambda config: config.model_type)
def test_a_window_in_the_layers_lets_tokens_be_taken_back(config: PreTrainedConfig, toy: Path, tmp_path: Path) -> None:
    """Text beyond a layer's window can be taken back, by rewinding, by a wrong draft and by another prompt."""
    hosted = of_architecture(config, toy, tmp_path / "other")
    prompt = hosted.encode(PROMPT)
    assert len(prompt) > 2 * config.sliding_window

    generation = hosted.begin(prompt, "document")
    for token in (5, 6, 7):
        generation.feed(token)
    generation.ranked(1)
    generation.rewind(3)
    generation.feed(8)
    generation.start([9, 10])
    generation.feed(11)
    after = generation.ranked(20)
    another = hosted.begin([*prompt[:-4], 12], "document").ranked(20)

    for found, tokens in ((after, [*prompt, 8, 11]), (another, [*prompt[:-4], 12])):
        fresh = hosted.begin(tokens).ranked(20)
        assert [token for token, _ in found] == [token for token, _ in fresh]
        assert [score for _, score in found] == pytest.approx([score for _, score in fresh], abs=1e-4)


def of_architecture(config: PreTrainedConfig, toy: Path, folder: Path) -> HostedModel:
    """Return a model with random weights and the tokenizer of the toy."""
    return hosted_model(str(random_model(config, toy, folder)))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_encoded_text_is_text(embedded: HostedModel, text: str) -> None:
    """Tokens spell the text that they were made of, whatever it holds, and none is special."""
    pieces = [embedded.vocabulary.pieces[token] for token in embedded.encode(text)]

    assert b"".join(piece for piece in pieces if piece is not None) == text.encode()
    assert None not in pieces


def test_published_folder_is_a_hugging_face_model(toy: Path, hosted: HostedModel) -> None:
    """The transformers library reads the folder by itself, special tokens included."""
    tokenizer = AutoTokenizer.from_pretrained(toy)
    tokens = tokenizer("<fim_prefix>x = <fim_suffix>\n<fim_middle>").input_ids
    special = hosted.vocabulary.specials

    assert [token for token in tokens if token in special.values()] == [
        special["<fim_prefix>"],
        special["<fim_suffix>"],
        special["<fim_middle>"],
    ]
    assert tokenizer.eos_token_id in hosted.vocabulary.ends
    assert tokenizer.decode(tokens, skip_special_tokens=True) == "x = \n"


def test_padding_is_never_proposed(toy: Path, tmp_path: Path) -> None:
    """Logits beyond the tokenizer's vocabulary, as large as they may be, are left out of the ranking."""
    model: Any = AutoModelForCausalLM.from_pretrained(toy)
    model.float()
    count = model.config.vocab_size
    model.resize_token_embeddings(count + 24, mean_resizing=False)
    with torch.no_grad():
        model.get_input_embeddings().weight[count:] = 50 * model.get_input_embeddings().weight[:24]
    shutil.copytree(toy, tmp_path / "padded")
    model.save_pretrained(tmp_path / "padded")
    hosted = load_model(str(tmp_path / "padded"))

    ranked = hosted.begin(hosted.encode(PROMPT)).ranked(10_000)

    assert len(hosted.vocabulary.pieces) == count + 24
    assert sorted(token for token, _ in ranked) == list(range(count))
    assert sum(2.718281828**score for _, score in ranked) == pytest.approx(1, abs=1e-3)


def test_what_has_no_number_is_never_proposed(toy: Path, tmp_path: Path) -> None:
    """A token whose logit is not a number is left out, and a ranking is still sorted."""
    config = LlamaConfig(**{**json.loads((toy / "config.json").read_text()), "tie_word_embeddings": False})
    torch.manual_seed(1)
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        model.lm_head.weight[40] = torch.nan
    shutil.copytree(toy, tmp_path / "broken")
    model.save_pretrained(tmp_path / "broken")
    hosted = load_model(str(tmp_path / "broken"))

    ranked = hosted.begin(hosted.encode(PROMPT)).ranked(10_000)

    assert 40 not in [token for token, _ in ranked]
    assert len(ranked) == config.vocab_size - 1
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)


def test_nothing_heavy_is_imported_before_a_model_is_loaded() -> None:
    """The files that commands import to ask for a model do not import torch, and the embedded model does not at all."""
    code = (
        "import sys, dovetail.model.hosting, dovetail.model.error, dovetail.commands.train;"
        "heavy = {'torch', 'transformers'};"
        "print((heavy | {'tokenizers'}) & set(sys.modules));"
        "model = dovetail.model.hosting.load_model();"
        "print(model.name, len(model.begin(model.encode('x')).ranked(3)), heavy & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout == "set()\nembedded 3 set()\n"


def test_a_model_with_weights_has_a_cache(toy: Path) -> None:
    """A folder with weights gives the model with a cache of n-grams, one without gives it alone; others are refused."""
    assert not isinstance(load_model(str(toy)), CachedProposer)
    weights = toy / CACHE
    try:
        weights.write_text(json.dumps(dict.fromkeys(LEVELS, [0.0] * COUNT)))
        assert isinstance(load_model(str(toy)), CachedProposer)
        weights.write_text("[1]")
        with pytest.raises(ModelError, match="cannot be used"):
            load_model(str(toy))
    finally:
        weights.unlink()


def test_the_embedded_model_has_a_cache() -> None:
    """The weights of the embedded model are there, and can be read."""
    assert cache_weights(None) is not None
