"""Models that run through transformers, whatever else could run them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import torch
from transformers import AutoModelForCausalLM

from dovetail.model.hosted import HostedModel, host
from dovetail.model.hosting import EMBEDDED

if TYPE_CHECKING:
    from pathlib import Path

    from transformers import PreTrainedConfig


def hosted_model(folder: str | None = None, device: str | None = None) -> HostedModel:
    """Load a folder, or the embedded model, with transformers."""
    name = "embedded" if folder is None else folder.rpartition("/")[2]
    return host(folder or str(EMBEDDED), name, local=True, device=device)


def random_model(config: PreTrainedConfig, toy: Path, folder: Path) -> Path:
    """Return the folder of a new model with random weights and the tokenizer of the toy."""
    torch.manual_seed(3)
    config.vocab_size = 512
    shutil.copytree(toy, folder)
    kinds: Any = AutoModelForCausalLM
    model = kinds.from_config(config)
    for parameter in model.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    model.save_pretrained(folder)
    return folder
