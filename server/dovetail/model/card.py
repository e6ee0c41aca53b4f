"""The card of a trained model: the README of its folder."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import torch

from dovetail.model.collection import language_of
from dovetail.model.tokenizer import END, FILE, MIDDLE, PREFIX, SUFFIX

if TYPE_CHECKING:
    from dovetail.model.run import Run
    from dovetail.model.training import Budget, TrainedModel

_CARD = """\
---
license: {licence}
library_name: transformers
pipeline_tag: text-generation
---

# {title}

A small Llama for filling in the middle of code ({languages}), trained {beginning} by `dovetail train`.

| | |
| --- | --- |
| parameters | {parameters:.2f} million, float16 |
| layers | {recipe.layers} of {recipe.heads} heads, {recipe.key_heads} of them with keys and values |
| width | {recipe.hidden_size}, feed-forward {recipe.feed_forward_size} |
| vocabulary | {vocabulary} byte-level pairs, special tokens included |
| longest input | {recipe.length} tokens |
| {measured_on} loss | {trained.held_out_loss:.3f} nats a token |
| within middles | {trained.held_out_middle_loss:.3f} nats a token |
{measured}
## Prompt

`{prefix}`left`{suffix}`right`{middle}`, or `{prefix}{suffix}`right`{middle}`left:
half of the training was in either form.
The model ends a middle with `{end}`.
{files_prompt}
## Data

{data}: {files} files, {characters:.1f} million characters.
Each text counts once and near-duplicates are dropped; tests count a third, and what a package counts grows with its
size to the power of {recipe.balance:g}; files that do not parse, tables, and what programs wrote are left out.{shares}
{licences}
Whole packages are held out, {held_out} files: {packages}.

## Training

{steps} steps of {recipe.step_tokens} tokens in {minutes:.0f} minutes on {device}, in {numbers}.
Muon for the hidden matrices (highest learning rate {recipe.matrix_rate:g}) and AdamW for the rest
({recipe.learning_rate:g}), {fall}, gradients clipped at 1, tokens of middles weighted by
{recipe.middle_weight:g}{lengths}.
`losses.svg` shows how the loss fell. To train it again:

    dovetail train --output FOLDER{sources} --preset {preset} {budget}{origin}{kept_out}

## Limits

It has seen little code and is small: it writes plausible code, seldom what was meant, and it ends late.
"""

_FILES_PROMPT = """
Before the prompt may stand pieces of other files of about ten lines each, at most 512 tokens of them together, and the
path of the file itself, each after `{file}`:

    {file}other/file.py⏎piece{file}this/file.py⏎{prefix}left{suffix}right{middle}

{contexts:.0%} of the training had pieces (most of them those that share identifiers with the lines around the cut, the
most similar last; some drawn at random), and {paths:.0%} the path alone.
"""

_STANDARD = "The standard library of CPython {version}, and the permissively licensed packages installed beside it"
_COLLECTED = "The standard library of CPython {version}, and {packages} permissively licensed packages beside it"
_OTHER = "Folders that were named for the training"
_NAMES = {"python": "Python", "javascript": "JavaScript", "typescript": "TypeScript", "go": "Go", "lua": "Lua"}


def model_card(run: Run, trained: TrainedModel, *, preset: str, budget: Budget, measured: str = "") -> str:
    """Return the text of a card; `measured`: Markdown with what else was measured."""
    recipe, corpus = run.recipe, run.corpus
    if torch.cuda.is_available():
        device = torch.cuda.get_device_name()
    else:
        device = f"{torch.get_num_threads()} CPU cores"
    known = run.standard or run.corpus.is_licensed
    counts = Counter(language_of(document.name) for document in corpus.training)
    if run.standard:
        data = _STANDARD.format(version=run.version)
    else:
        collected = _COLLECTED.format(version=run.version, packages=len(corpus.licences) - 1)
        data = collected if known else _OTHER
    contexts, paths = recipe.context_share, (1 - recipe.context_share) * recipe.path_share
    told = FILE in trained.tokenizer.get_vocab() and contexts + paths > 0
    shares = ", ".join(f"{_NAMES[language]} {share:.1%}" for language, share in recipe.shares)
    shorter = ", ".join(f"{length} tokens up to {until:.0%}" for until, length in recipe.lengths)
    return _CARD.format(
        title="A model for Dovetail",
        licence="apache-2.0" if known else "other",
        sources="" if run.standard else " --sources FOLDER",
        measured_on="held-out" if corpus.held_out else "training",
        parameters=sum(parameter.numel() for parameter in trained.model.parameters()) / 1e6,
        beginning="from nothing" if run.origin is None else f"on from `{run.origin}`",
        recipe=recipe,
        trained=trained,
        measured=f"\n{measured.strip()}\n" if measured else "",
        vocabulary=trained.tokenizer.get_vocab_size(),
        prefix=PREFIX,
        suffix=SUFFIX,
        middle=MIDDLE,
        end=END,
        languages=", ".join(_NAMES[language] for language, _ in counts.most_common()),
        files_prompt=_FILES_PROMPT.format(
            file=FILE, prefix=PREFIX, suffix=SUFFIX, middle=MIDDLE, contexts=contexts, paths=paths
        )
        if told
        else "",
        shares=f"\nOf what was seen each language had its share: {shares}." if shares else "",
        data=data,
        files=len(corpus.training),
        characters=sum(len(document.text) for document in corpus.training) / 1e6,
        licences=_licences(run),
        held_out=len(corpus.held_out),
        packages=", ".join(f"`{name}`" for name in corpus.held_out_packages) or "none",
        steps=trained.steps,
        minutes=trained.seconds / 60,
        device=device,
        numbers="bfloat16" if trained.bfloat16 else "float32",
        lengths=f"; rows are shorter to begin with ({shorter} of the time)" if shorter else "",
        fall="half a cosine after a warm-up"
        if recipe.cooling is None
        else f"constant after a warm-up, and falling in a straight line over the last {recipe.cooling:.0%}",
        preset=preset,
        origin="" if run.origin is None else f" --from {run.origin}",
        kept_out=f" --hold-out {' '.join(run.kept_out)}" if run.kept_out else "",
        budget=f"--minutes {budget.minutes:g}" if budget.steps is None else f"--steps {budget.steps}",
    )


def _licences(run: Run) -> str:
    """Return what the sources' licences are, package by package."""
    if not run.standard and not run.corpus.is_licensed:
        return "The licences of those sources apply."
    of = "".join(f"| {origin} | {licence} |\n" for origin, licence in sorted(run.corpus.licences.items()))
    return (
        "Licences are those that the packages state themselves; what states none, or none that is permissive, was\n"
        f"left out ({', '.join(run.corpus.left_out) or 'nothing was'}).\n\n"
        f"| what was read | licence |\n| --- | --- |\n{of}"
    )
