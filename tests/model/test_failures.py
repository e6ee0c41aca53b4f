"""Failures inside a model's library are told apart, and a tokenizer of another model is refused."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
import torch
from tests.hosted import hosted_model
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

from dovetail.model.error import ModelError
from dovetail.model.failure import Failure, NoNumbersError, failure_of
from dovetail.model.hosting import load_model

if TYPE_CHECKING:
    from pathlib import Path


def raised(function: Any, *arguments: object) -> Exception:
    """Return what a function raises."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - what it is is asked afterwards
        function(*arguments)
    return caught.value


def accelerator_error() -> Exception:
    """Return torch's exception of a device that failed, where it has one."""
    kind = getattr(torch, "AcceleratorError", RuntimeError)
    error: Exception = kind.__new__(kind)
    error.args = ("CUDA error: an illegal memory access was encountered",)
    return error


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."), Failure.MEMORY),
        (MemoryError(), Failure.MEMORY),
        (RuntimeError("MPS backend out of memory (MPS allocated: 9 GB)"), Failure.MEMORY),
        (RuntimeError("CUDA error: out of memory"), Failure.MEMORY),
        (OSError(12, "Cannot allocate memory"), Failure.MEMORY),
        (accelerator_error(), Failure.DEVICE),
        (RuntimeError("CUDA error: device-side assert triggered"), Failure.DEVICE),
        (RuntimeError("CUDA error: unspecified launch failure"), Failure.DEVICE),
        (RuntimeError("CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx`"), Failure.DEVICE),
        (RuntimeError("No CUDA GPUs are available"), Failure.DEVICE),
        (RuntimeError("HIP error: invalid device function"), Failure.DEVICE),
        (NoNumbersError("none"), Failure.NUMBERS),
        (RuntimeError("The size of tensor a (3) must match the size of tensor b (4)"), None),
        (OSError("no file named model.safetensors"), None),
        (ValueError("out of memory"), None),
        (AssertionError("a model cannot be asked with nothing"), None),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, Exception) else "",
)
def test_a_failure_is_told_from_a_defect(error: Exception, failure: Failure | None) -> None:
    """Want of memory, a lost device and scores that are none are known by what torch raises; all else is a defect."""
    assert failure_of(error) is failure


def test_what_torch_itself_raises_for_want_of_memory_is_known() -> None:
    """The exception of this version of torch, on this machine."""
    assert failure_of(raised(torch.empty, 1 << 60)) is Failure.MEMORY


def test_want_of_memory_while_a_model_is_read_is_no_mistake_of_the_users(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is raised as it is, and not as a folder that lacks something."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("Error while reading") from torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(AutoModelForCausalLM, "from_pretrained", fail)

    assert failure_of(raised(load_model, str(toy))) is Failure.MEMORY


def test_a_model_can_be_kept_from_its_device(toy: Path) -> None:
    """The processor can be named where another device failed."""
    assert hosted_model(str(toy), "cpu")._model.device == torch.device("cpu")


def broken(toy: Path, folder: Path, change: Any) -> Path:
    """Return a folder with a model whose weights were changed."""
    config = LlamaConfig(**{**json.loads((toy / "config.json").read_text()), "tie_word_embeddings": False})
    torch.manual_seed(1)
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        change(model)
    shutil.copytree(toy, folder)
    model.save_pretrained(folder)
    return folder


def test_a_model_without_any_number_is_a_failure(toy: Path, tmp_path: Path) -> None:
    """Nothing is proposed if no score is a number, greedily or by chance."""
    hosted = load_model(str(broken(toy, tmp_path / "nan", lambda model: model.lm_head.weight.fill_(torch.nan))))
    prompt = hosted.encode("import json\n")

    for ask in (lambda: hosted.begin(prompt).ranked(1), lambda: hosted.begin(prompt).nucleus(0.5, 0.9)):
        assert failure_of(raised(ask)) is Failure.NUMBERS


def test_a_tokenizer_of_a_larger_model_is_refused(toy: Path, tmp_path: Path) -> None:
    """A tokenizer with more tokens than the model is refused, and both numbers are named."""
    model: Any = AutoModelForCausalLM.from_pretrained(toy)
    shutil.copytree(toy, tmp_path / "small")
    model.resize_token_embeddings(300, mean_resizing=False)
    model.save_pretrained(tmp_path / "small")

    with pytest.raises(ModelError, match=r"has 300 tokens and its tokenizer 5\d\d, so they do not belong together"):
        load_model(str(tmp_path / "small"))


def test_ends_that_a_model_does_not_have_are_left_out(toy: Path, tmp_path: Path) -> None:
    """Ids of a configuration that stand for nothing, or for text, end nothing."""
    shutil.copytree(toy, tmp_path / "ends")
    for name in ("config.json", "generation_config.json"):
        path = tmp_path / "ends" / name
        settings = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps({**settings, "eos_token_id": [0, 300, 99_999]}))

    assert load_model(str(tmp_path / "ends")).vocabulary.ends == load_model(str(toy)).vocabulary.ends
