"""GGUF files: conversion, vocabularies, damaged and foreign ones, and the library that runs them."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import gguf
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.hosted import hosted_model, random_model
from transformers import Gemma2Config, Qwen2Config

from dovetail.__main__ import main
from dovetail.model import llama_library
from dovetail.model.conversion import compare, convert
from dovetail.model.error import ModelError
from dovetail.model.failure import Failure, failure_of
from dovetail.model.gguf_file import GgufError, GgufFile, read_gguf
from dovetail.model.gguf_vocabulary import read_description, vocabulary_of
from dovetail.model.hosted import read_tokenizer
from dovetail.model.hosting import load_model
from dovetail.model.llama_context import LlamaContext
from dovetail.model.runtimes.sequence_model import SequenceModel

if TYPE_CHECKING:
    from pathlib import Path


PROMPT = "import json\n\ndef dump(value, file):\n    return json.dump(value, file)  # näïve ☃\n"


@pytest.fixture(name="light", scope="module")
def _light(toy_gguf: Path) -> SequenceModel:
    model = load_model(str(toy_gguf))
    assert isinstance(model, SequenceModel)
    assert isinstance(model.context, LlamaContext)
    return model


@pytest.mark.parametrize("tied", [True, False])
def test_a_converted_qwen2_has_the_originals_numbers(tied: bool, toy: Path, tmp_path: Path) -> None:
    """Biases, rotations, shared key heads and a last matrix of its own come over."""
    config = Qwen2Config(
        hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        max_position_embeddings=128, tie_word_embeddings=tied,
    )  # fmt: skip
    folder = random_model(config, toy, tmp_path / "qwen")
    convert(folder, tmp_path / "qwen.gguf", "f32", read_tokenizer(str(folder)))

    found = compare(hosted_model(str(folder)), load_model(str(tmp_path / "qwen.gguf")), PROMPT, 16)

    assert found.same_best == 1
    assert found.difference < 1e-3


@pytest.mark.parametrize(
    ("kind", "difference", "same"), [("f32", 1e-3, 1), ("f16", 0.05, 1), ("q8_0", 2, 0.7), ("q4_0", 16, 0.2)]
)
def test_smaller_types_have_about_the_same_numbers(
    kind: str, difference: float, same: float, toy: Path, tmp_path: Path
) -> None:
    """Each type makes a smaller file, and the likeliest tokens stay near."""
    file = tmp_path / "toy.gguf"
    convert(toy, file, kind)

    found = compare(hosted_model(str(toy)), load_model(str(file)), PROMPT, 24)

    assert found.difference < difference
    assert found.same_best >= same
    assert file.stat().st_size < 1.3 * sum(tensor.size or 0 for tensor in read_gguf(file).tensors.values()) + 80_000


def test_the_vocabulary_is_the_originals(toy: Path, light: SequenceModel) -> None:
    """Pieces, special tokens, ends, window and encoding are those of the folder that was converted."""
    original = hosted_model(str(toy))

    assert light.vocabulary == original.vocabulary
    assert light.window == original.window
    assert light.encode(PROMPT) == original.encode(PROMPT)


def test_a_file_of_another_program_is_read_by_its_own_keys(
    toy: Path, light: SequenceModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a whole description the tokens say what they are, and llama.cpp encodes text, never a special token."""
    monkeypatch.setattr("dovetail.model.conversion.DESCRIPTION", "of.another.program")
    convert(toy, tmp_path / "other.gguf", "f16")
    model = load_model(str(tmp_path / "other.gguf"))

    assert model.vocabulary == light.vocabulary
    text = PROMPT + "".join(model.vocabulary.specials)
    tokens = model.encode(text)
    assert b"".join(model.vocabulary.pieces[token] or b"" for token in tokens) == text.encode()
    assert not set(tokens) & set(model.vocabulary.specials.values())


def test_the_tokens_of_a_sentence_piece_vocabulary_are_bytes() -> None:
    """Marks are blanks, bytes are bytes, and control tokens are special."""
    metadata = {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": ["<unk>", "</s>", "<0x0A>", "▁def", "é", "▁<PRE>", "hole", "    "],
        "tokenizer.ggml.token_type": [2, 3, 6, 1, 1, 3, 5, 4],
        "tokenizer.ggml.eos_token_id": 1,
    }
    file = GgufFile(metadata, {})

    vocabulary = vocabulary_of(file, read_description(file), 8)

    assert vocabulary.pieces == (None, None, b"\n", b" def", "é".encode(), None, None, b"    ")
    assert vocabulary.specials == {"<unk>": 0, "</s>": 1, "▁<PRE>": 5}
    assert vocabulary.ends == {1}


def test_more_texts_than_sequences(light: SequenceModel) -> None:
    """Texts that gave their sequence up read again what they had read, and propose what they would have."""
    prompt = light.encode(PROMPT)
    texts = [light.begin([*prompt, token]) for token in range(20, 20 + light.context.sequences + 3)]
    for text in texts:
        text.feed(text.ranked(1)[0][0])

    for turn in (texts, reversed(texts)):
        for text in turn:
            fresh = light.begin(text._tokens).ranked(5)
            assert [token for token, _ in text.ranked(5)] == [token for token, _ in fresh]
            text.feed(fresh[1][0])


def test_a_document_keeps_its_sequence(light: SequenceModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text without a document takes another sequence, or the one used longest ago, never the one just used."""
    prompt = light.encode(PROMPT)
    first = light.begin(prompt, "a")
    first.ranked(1)
    for _ in range(3 * light.context.sequences):
        light.begin(prompt[:3]).ranked(1)
        light.begin(prompt, "a").ranked(1)

    read: list[int] = []
    reading = light.context.read

    def counting(sequence: int, start: int, tokens: Any, rows: int) -> Any:
        read.append(len(tokens))
        return reading(sequence, start, tokens, rows)

    monkeypatch.setattr(light.context, "read", counting)
    light.begin([*prompt, 30], "a").ranked(1)

    assert read == [1]


@pytest.mark.parametrize("answer", [-2, -3])
def test_what_the_library_answers_is_told_apart(
    answer: int, light: SequenceModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No memory and no device have remedies of their own, and the next request reads everything again."""
    prompt = light.encode(PROMPT)
    expected = light.begin(prompt).ranked(3)
    assert isinstance(light.context, LlamaContext)
    with monkeypatch.context() as patched:
        patched.setattr(light.context._library, "llama_decode", lambda *_: answer)
        with pytest.raises((MemoryError, RuntimeError)) as caught:
            light.begin(prompt, "failed").ranked(1)

    assert failure_of(caught.value) is (Failure.MEMORY if answer == -2 else Failure.DEVICE)
    assert light.begin(prompt, "failed").ranked(3) == expected


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.01, 0.1, 0.5, 0.999])
def test_a_file_that_was_cut_off_is_a_sentence(share: float, toy_gguf: Path, tmp_path: Path) -> None:
    """A download that ended early is refused before the library sees it."""
    whole = toy_gguf.read_bytes()
    file = tmp_path / "cut.gguf"
    file.write_bytes(whole[: int(len(whole) * share)])

    with pytest.raises(ModelError, match=r"The file .*cut\.gguf cannot be loaded .*: take another copy") as caught:
        load_model(str(file))
    assert "\n" not in str(caught.value)


@given(st.data())
def test_any_damage_to_a_description_is_noticed_or_harmless(toy_gguf: Path, tmp_path_factory: Any, data: Any) -> None:
    """Reading ends whatever bytes stand in the description, with a description or with the one exception."""
    content = bytearray(toy_gguf.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(4, 3000))] = data.draw(st.integers(0, 255))
    file = tmp_path_factory.mktemp("damaged") / "model.gguf"
    file.write_bytes(content)

    with suppress(GgufError):
        assert read_gguf(file).tensors is not None


def test_a_foreign_file_is_a_sentence(tmp_path: Path) -> None:
    """A file of another kind, and a model of a kind that the library does not know, are told apart."""
    (tmp_path / "text.gguf").write_text("This is no model.\n")
    writer = gguf.GGUFWriter(tmp_path / "strange.gguf", "strange")
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(["a"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()

    with pytest.raises(ModelError, match="it does not begin as GGUF files do"):
        load_model(str(tmp_path / "text.gguf"))
    with pytest.raises(ModelError, match=r"strange\.gguf cannot be loaded \(.*strange.*\): choose another file"):
        load_model(str(tmp_path / "strange.gguf"))


def test_a_folder_with_one_file_is_that_file(toy: Path, toy_gguf: Path, tmp_path: Path) -> None:
    """A GGUF file goes before others in its folder; of several the user has to name one."""
    folder = tmp_path / "both"
    shutil.copytree(toy, folder)
    shutil.copy(toy_gguf, folder / "model.gguf")
    model = load_model(str(folder))
    assert isinstance(model, SequenceModel)
    assert model.name == "both"

    shutil.copy(toy_gguf, folder / "other.gguf")
    with pytest.raises(ModelError, match=r"holds several models \(model\.gguf, other\.gguf\): name one"):
        load_model(str(folder))
    with pytest.raises(ModelError, match=r"There is no file .*none\.gguf"):
        load_model(str(folder / "none.gguf"))


@pytest.mark.parametrize("lack", ["package", "file", "function", "structure"])
def test_a_library_that_does_not_load_is_a_sentence(
    lack: str, toy_gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing package, a broken file and a version with other functions or structures say what to install."""
    broken = tmp_path / "broken.so"
    broken.write_bytes(b"no library")
    if lack == "package":
        monkeypatch.setattr(llama_library, "find_spec", lambda name: None)
    elif lack == "file":
        monkeypatch.setattr(llama_library, "_file", lambda: broken)
    elif lack == "function":
        monkeypatch.setitem(llama_library._FUNCTIONS, "llama_none", (None,))
    else:
        monkeypatch.setattr(llama_library, "_is_known", lambda library: False)
    llama_library.load_library.cache_clear()
    try:
        with pytest.raises(ModelError, match=r"needs llama\.cpp, but .*: pip install dovetail again") as caught:
            load_model(str(toy_gguf))
    finally:
        monkeypatch.undo()
        llama_library.load_library.cache_clear()
    assert "\n" not in str(caught.value)


def test_the_command_converts_and_reports(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It writes the file, says how it differs from the original, and replaces nothing."""
    monkeypatch.chdir(tmp_path)

    assert main(["convert", str(toy), "--type", "f16"]) == 0
    assert "toy-f16.gguf: 0." in (said := capsys.readouterr().out)
    assert re.search(r"the same likeliest token at (100|99\.\d)%", said)
    assert load_model("./toy-f16.gguf").name == "toy-f16"

    assert main(["convert", str(toy), "--type", "f16"]) == 2
    assert "toy-f16.gguf exists: name another file" in capsys.readouterr().err


def test_what_cannot_be_converted_is_a_sentence(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other architectures, scaled rotations and folders without weights leave no file behind."""
    gemma = random_model(
        Gemma2Config(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, head_dim=16,
                     num_key_value_heads=1),
        toy, tmp_path / "gemma",
    )  # fmt: skip
    scaled = tmp_path / "scaled"
    shutil.copytree(toy, scaled)
    config = (scaled / "config.json").read_text()
    assert '"rope_type": "default"' in config
    changed = config.replace('"rope_type": "default"', '"rope_type": "linear", "factor": 2.0')
    (scaled / "config.json").write_text(changed)
    empty = tmp_path / "empty"
    shutil.copytree(toy, empty)
    (empty / "model.safetensors").unlink()
    monkeypatch.chdir(tmp_path)

    for folder, message in (
        (gemma, "is of the kind gemma2, and only llama and qwen2 can be converted"),
        (scaled, "has scaled rotations, which cannot be converted here"),
        (empty, r"holds no *.safetensors: name a folder with a model"),
        (tmp_path / "none", "holds no model (no config.json)"),
    ):
        assert main(["convert", str(folder)]) == 2
        assert message in capsys.readouterr().err
    assert not list(tmp_path.glob("*.gguf*"))


def test_other_programs_read_what_is_written(toy: Path, toy_gguf: Path) -> None:
    """The library of GGUF's authors finds the metadata, and the numbers of the original."""
    reader = gguf.GGUFReader(toy_gguf)
    weights = hosted_model(str(toy))._model.state_dict()

    assert reader.fields["general.architecture"].contents() == "llama"
    assert reader.fields["llama.attention.layer_norm_rms_epsilon"].contents() == pytest.approx(1e-6)
    assert len(reader.fields["tokenizer.ggml.tokens"].contents()) == 512
    [found] = [tensor.data for tensor in reader.tensors if tensor.name == "blk.1.ffn_up.weight"]
    assert torch.equal(torch.tensor(found), weights["model.layers.1.mlp.up_proj.weight"])
