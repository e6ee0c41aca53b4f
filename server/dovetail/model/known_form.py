"""The form of prompt that a model was found to know, remembered in the user's cache for each revision of a model."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from dovetail.decoding.formats import forms_for
from dovetail.decoding.probing import PLACES, choose, probe
from dovetail.grammar.disk_cache import read_cached, write_cached

if TYPE_CHECKING:
    from dovetail.decoding.formats import PromptForm
    from dovetail.decoding.proposer import Proposer

logger = logging.getLogger(__name__)

_FILES = ("*.json", "*.safetensors", "*.gguf")
"""The files of a folder that make a model what it is."""


def known_form(proposer: Proposer, source: str, *, local: bool) -> PromptForm:
    """Return the form in which a model is asked best: the remembered one, or what a probe finds now.

    `source` is its folder, its file, or its name on the hub. Raises what the model raises.
    """
    forms = forms_for(proposer.vocabulary.specials)
    if len(forms) == 1:
        return forms[0]
    kept = platformdirs.user_cache_path("dovetail") / "forms" / f"{_revision(proposer, source, local, forms)}.txt"
    remembered = read_cached(kept)
    if remembered is not None:
        name = bytes(remembered).decode(errors="replace")
        found = next((form for form in forms if form.name == name), None)
        if found is not None:
            return found
    measured = probe(proposer, forms)
    found = choose(forms, measured)
    told = ", ".join(f"{form.name} {value:.2f}" for form, value in zip(forms, measured, strict=True))
    logger.info("The model %s is asked in the form %s (nats a token: %s).", source, found.name, told)
    write_cached(kept, (found.name.encode(),))
    return found


def _revision(proposer: Proposer, source: str, local: bool, forms: tuple[PromptForm, ...]) -> str:
    """Return a digest of all that decides the outcome of a probe."""
    facts: list[object] = [source, [(form.name, repr(form.parts)) for form in forms], PLACES]
    if local:
        path = Path(source).absolute()
        files = sorted(file for kind in _FILES for file in path.glob(kind)) if path.is_dir() else [path]
        facts += [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    else:
        facts.append(proposer.numbers)  # they name the revision of a model of the hub
    return hashlib.sha256(json.dumps(facts).encode(errors="surrogatepass")).hexdigest()[:32]
