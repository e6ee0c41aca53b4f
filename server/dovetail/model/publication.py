"""A trained model written as a folder that any Hugging Face program reads."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import torch

from dovetail.model.quiet import no_bars
from dovetail.model.tokenizer import END, MIDDLE, PADDING, PREFIX, SUFFIX

if TYPE_CHECKING:
    from pathlib import Path

    from dovetail.model.recipe import Recipe
    from dovetail.model.sources import Corpus
    from dovetail.model.training import Budget, Outcome

_CARD = """\
---
license: apache-2.0
library_name: transformers
pipeline_tag: text-generation
---

# {title}

A small Llama for filling in the middle of Python code, trained from nothing by `dovetail train`.

| | |
| --- | --- |
| parameters | {parameters:.2f} million, float16 |
| layers | {recipe.layers} of {recipe.heads} heads |
| width | {recipe.hidden_size}, feed-forward {recipe.feed_forward_size} |
| vocabulary | {vocabulary} byte-level pairs, special tokens included |
| longest input | {recipe.length} tokens |
| held-out loss | {outcome.held_out_loss:.3f} nats a token |
| within middles | {outcome.held_out_middle_loss:.3f} nats a token |

## Prompt

`{prefix}`left`{suffix}`right`{middle}`, or `{prefix}{suffix}`right`{middle}`left:
half of the training was in either form.
The model ends a middle with `{end}`.

## Data

{data}: {files} files, {characters:.1f} million characters.
Each text counts once and tests count a third; files that do not parse, and tables, are left out.
The held-out loss is measured on {held_out} further files.
{licence}

## Training

{steps} steps of {tokens} tokens in {minutes:.0f} minutes on {device}.
AdamW, half a cosine after a warm-up, highest learning rate {recipe.learning_rate:g}, gradients clipped at 1,
tokens of middles weighted by {recipe.middle_weight:g}.
To train it again:

    dovetail train --output FOLDER --preset {preset} {budget}

## Limits

It has seen little code and is small: it writes plausible Python, seldom what was meant, and it ends late.
"""

_STANDARD_LIBRARY = "The standard library of CPython {version}"
_OTHER_SOURCES = "Folders that whoever trained it named"
_PSF_LICENCE = """\
The standard library is copyright © 2001 Python Software Foundation, all rights reserved, under the PSF
License Agreement (https://docs.python.org/3/license.html), which permits derivative works."""
_OTHER_LICENCE = "The licences of those sources apply."


def publish(outcome: Outcome, folder: Path, card: str) -> None:
    """Write weights in half precision, configuration, tokenizer and model card."""
    folder.mkdir(parents=True, exist_ok=True)
    model: Any = outcome.model
    with no_bars():
        model.half().save_pretrained(folder)
    outcome.tokenizer.save(str(folder / "tokenizer.json"))
    configuration = {
        # The name that every version of transformers knows.
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": END,
        "pad_token": PADDING,
        "additional_special_tokens": [PREFIX, MIDDLE, SUFFIX],
        "model_max_length": model.config.max_position_embeddings,
        "clean_up_tokenization_spaces": False,
    }
    text = json.dumps(configuration, indent=2) + "\n"
    (folder / "tokenizer_config.json").write_text(text, encoding="utf-8")
    (folder / "README.md").write_text(card, encoding="utf-8")


def model_card(
    outcome: Outcome, corpus: Corpus, recipe: Recipe, *, preset: str, budget: Budget, standard: bool
) -> str:
    """Return what people should know of the model.

    `standard`: whether the sources were the running interpreter's standard library.
    """
    version = ".".join(map(str, sys.version_info[:3]))
    if torch.cuda.is_available():
        device = torch.cuda.get_device_name()
    else:
        device = f"{torch.get_num_threads()} CPU cores"
    return _CARD.format(
        title="The embedded model of Dovetail" if standard else "A model for Dovetail",
        parameters=sum(parameter.numel() for parameter in outcome.model.parameters()) / 1e6,
        recipe=recipe,
        outcome=outcome,
        vocabulary=outcome.tokenizer.get_vocab_size(),
        prefix=PREFIX,
        suffix=SUFFIX,
        middle=MIDDLE,
        end=END,
        data=_STANDARD_LIBRARY.format(version=version) if standard else _OTHER_SOURCES,
        licence=_PSF_LICENCE if standard else _OTHER_LICENCE,
        files=len(corpus.training),
        characters=sum(len(document.text) for document in corpus.training) / 1e6,
        held_out=len(corpus.held_out),
        steps=outcome.steps,
        tokens=recipe.rows * recipe.length,
        minutes=outcome.seconds / 60,
        device=device,
        preset=preset,
        budget=f"--minutes {budget.minutes:g}" if budget.steps is None else f"--steps {budget.steps}",
    )
