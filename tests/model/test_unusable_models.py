"""Models that cannot be used: each is refused in one sentence, and nothing of them is run."""

from __future__ import annotations

import importlib.util
import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    LlamaForCausalLM,
)

from dovetail.model.error import ModelError
from dovetail.model.hosting import folder_or_name, load_model

if TYPE_CHECKING:
    from pathlib import Path


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
    """A model that was fetched once is loaded without a question to the hub."""
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
    """Without torch or transformers the error says what to install; the embedded model needs neither."""
    present = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else present(name))

    with pytest.raises(ModelError, match=r"needs torch, not installed here: run `.+ -m pip install torch`\."):
        load_model(str(toy))
    assert load_model().name == load_model("embedded").name == "embedded"
    with pytest.raises(ModelError, match=r"^There is no model nope; `dovetail models` lists them\.$"):
        load_model("nope")
    with pytest.raises(ModelError, match=r"^There is no model embeded: did you mean embedded\? `dovetail models`"):
        load_model("embeded")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        ModelError, match=r"needs numpy, safetensors, tokenizers, not installed here: run `.+ -m pip inst"
    ):
        load_model()
