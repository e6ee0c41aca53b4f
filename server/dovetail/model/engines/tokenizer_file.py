"""The vocabulary of an engine's model, read from a copy of its tokenizer on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dovetail.model.encoding import encoder_of
from dovetail.model.error import ModelError
from dovetail.vocabulary.vocabulary import read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.vocabulary.vocabulary import Vocabulary

_TOKENIZER = "tokenizer.json"
_CONFIGURATIONS = ("config.json", "generation_config.json")


def read_from_file(place: str, size: int | None) -> tuple[Vocabulary, Callable[[str], list[int]]]:
    """Return the vocabulary of a `tokenizer.json`, or of the folder that holds one, and its encoder.

    `size`: the number of the model's tokens where it is known. Raises ModelError and VocabularyError.
    """
    path = Path(place).expanduser()
    path = path / _TOKENIZER if path.is_dir() else path
    try:
        description = _read(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ModelError(f"The tokenizer {path} cannot be read ({reason}): name the folder of the model.") from error
    except ValueError as error:
        raise ModelError(
            f"The tokenizer {path} is damaged: take another copy of the model's tokenizer.json."
        ) from error
    ends: list[int] = []
    for name in _CONFIGURATIONS:
        try:
            told = _read(path.with_name(name)).get("eos_token_id")
        except (OSError, ValueError):
            continue
        ends += told if isinstance(told, list) else [told] if isinstance(told, int) else []
    return read_vocabulary(description, size, ends), encoder_of(description)


def _read(path: Path) -> dict[str, Any]:
    """Return the content of a file; raises OSError and ValueError."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found
