"""Models from folders and names, and what they propose."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.hosted import hosted_model
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

from dovetail.model.error import ModelError
from dovetail.model.hosting import folder_or_name, load_model

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
    """What was read beyond a layer's window can be taken back, by rewinding, by a wrong draft and by another prompt."""
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
    torch.manual_seed(3)
    config.vocab_size = 512
    shutil.copytree(toy, folder)
    kinds: Any = AutoModelForCausalLM
    model = kinds.from_config(config)
    for parameter in model.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    model.save_pretrained(folder)
    return hosted_model(str(folder))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_encoded_text_is_text(embedded: HostedModel, text: str) -> None:
    """Whatever a text holds, its tokens spell it and none is special."""
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


def test_missing_folder_is_a_sentence() -> None:
    """A path that leads nowhere is refused without a look at the network."""
    with pytest.raises(ModelError, match=r"There is no folder \./models/none: name one that exists"):
        load_model("./models/none")


def test_a_project_cannot_take_the_place_of_a_model_of_the_hub(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder below the working folder that is called like a model is not that model; in a terminal it is a folder."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(toy, tmp_path / "owner" / "name")

    with pytest.raises(ModelError, match=r"a folder here: write \./owner/name if that is meant"):
        load_model("owner/name")

    assert load_model("./owner/name").name == "name"
    assert load_model(folder_or_name("owner/name")).name == "name"
    assert folder_or_name("owner/other") == "owner/other"


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
@pytest.mark.parametrize("part", [0, 2])
def test_a_damaged_file_is_a_sentence(name: str, part: int, toy: Path, tmp_path: Path) -> None:
    """A folder of which a file was cut off is refused in one sentence that names it."""
    folder = tmp_path / "damaged"
    shutil.copytree(toy, folder)
    file = folder / name
    file.write_bytes(file.read_bytes()[: file.stat().st_size * part // 3])

    with pytest.raises(ModelError, match=r"The model in .*damaged cannot be loaded") as caught:
        load_model(str(folder))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("~no-such-user/model", "There is no home folder for ~no-such-user/model: write the folder of the model"),
        (f"./{'long' * 100}", r"The folder \./(long)*.* cannot be read|There is no folder \./(long)*"),
    ],
    ids=["no home", "too long"],
)
def test_a_folder_that_cannot_be_named_is_a_sentence(name: str, message: str) -> None:
    """A user who is not known and a name longer than names may be are mistakes, also in a terminal."""
    with pytest.raises(ModelError, match=message):
        load_model(folder_or_name(name))


def test_a_folder_that_may_not_be_looked_at_is_a_sentence(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder below one that is closed to the user is refused with the reason, also in a terminal."""

    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.is_dir", refuse)

    with pytest.raises(ModelError, match=r"The folder .* cannot be read \(Permission denied\): name one that can be"):
        load_model(folder_or_name(str(toy)))


def test_what_nobody_foresaw_in_a_model_is_a_sentence(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is read and then made otherwise than models are is refused with what was met."""

    def fail(*_: object) -> None:
        raise KeyError("embedding")

    monkeypatch.setattr(LlamaForCausalLM, "get_output_embeddings", fail)

    with pytest.raises(ModelError, match=r"cannot be hosted \(KeyError: 'embedding'\): choose another one"):
        load_model(str(toy))


def test_folder_without_a_model_is_a_sentence(tmp_path: Path) -> None:
    """A folder that holds no model says what it lacks."""
    with pytest.raises(ModelError, match=r"holds no model \(no config\.json\)"):
        load_model(str(tmp_path))


@pytest.mark.parametrize("left", [[], ["tokenizer_config.json"]], ids=["neither file", "its configuration alone"])
def test_model_without_a_tokenizer_is_a_sentence(left: list[str], toy: Path, tmp_path: Path) -> None:
    """A folder that lacks the tokenizer is refused with the names of the files that it needs."""
    folder = tmp_path / "mute"
    shutil.copytree(toy, folder)
    for name in {"tokenizer.json", "tokenizer_config.json"}.difference(left):
        (folder / name).unlink()

    with pytest.raises(ModelError, match=r"tokenizer\.json") as caught:
        load_model(str(folder))
    assert "\n" not in str(caught.value)


def test_file_is_a_sentence(toy: Path) -> None:
    """A file is not a model; its folder is."""
    with pytest.raises(ModelError, match="is a file: name the folder"):
        load_model(str(toy / "config.json"))


def test_weights_in_pickles_are_refused(toy: Path, tmp_path: Path) -> None:
    """Only safetensors are read: a folder with other weights is refused in one sentence."""
    folder = tmp_path / "pickled"
    shutil.copytree(toy, folder)
    model: Any = AutoModelForCausalLM.from_pretrained(toy)
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()

    with pytest.raises(ModelError, match=r"the folder needs config\.json, tokenizer\.json and \*\.safetensors"):
        load_model(str(folder))


def test_code_of_a_model_is_not_run(toy: Path, tmp_path: Path) -> None:
    """A folder that brings its own code is refused and the code stays unread."""
    folder = tmp_path / "coded"
    shutil.copytree(toy, folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {
        "model_type": "own",
        "auto_map": {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"},
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text("raise SystemExit('this code was run')\n")

    with pytest.raises(ModelError, match="cannot be loaded"):
        load_model(str(folder))


def test_a_hub_that_cannot_be_reached_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A name that is neither a folder nor in the hub's cache is looked for once, and the sentence has both remedies."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # the port of `discard`, where nobody listens

    with pytest.raises(
        ModelError, match=r"127.0.0.1:9 cannot be reached \(.+\): connect this machine, or name a model"
    ):
        load_model("nobody/no-such-model")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match="HF_HUB_OFFLINE is set, so nothing is fetched: unset it, or name a model"):
        load_model("nobody/no-such-model")


def test_a_model_in_the_hubs_cache_needs_no_network(toy: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was fetched once is loaded without a question to the hub."""
    version = "0123456789abcdef0123456789abcdef01234567"
    kept = tmp_path / "models--somebody--toy"
    (kept / "refs").mkdir(parents=True)
    (kept / "refs" / "main").write_text(version)
    shutil.copytree(toy, kept / "snapshots" / version)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("transformers.utils.hub.HF_HUB_CACHE", str(tmp_path), raising=False)
    monkeypatch.setattr("dovetail.model.hosted.require_reachable", lambda: pytest.fail("the hub was asked"))

    assert load_model("somebody/toy").name == "somebody/toy"


def test_missing_extra_is_a_sentence(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without torch or transformers the error says what to install, for the embedded model only without llama.cpp."""
    present = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else present(name))

    with pytest.raises(ModelError, match=r"needs torch, not installed here: pip install '/path/to/dovetail\[torch\]'"):
        load_model(str(toy))
    monkeypatch.setattr("dovetail.model.hosting.is_usable", lambda: False)
    with pytest.raises(ModelError, match=r"needs torch, not installed here"):
        load_model()
    monkeypatch.setattr("dovetail.model.hosting.is_usable", lambda: True)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"needs numpy, safetensors, tokenizers, not installed here: pip inst"):
        load_model()


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
