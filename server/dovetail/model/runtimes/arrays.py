"""A small model of Llama's form that numpy computes: the embedded one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dovetail.model.array_context import ArrayContext
from dovetail.model.array_weights import read_array_weights
from dovetail.model.engines.tokenizer_file import read_from_file
from dovetail.model.error import ModelError
from dovetail.model.runtimes.sequence_model import DOCUMENTS, SequenceModel
from dovetail.vocabulary.vocabulary import VocabularyError

if TYPE_CHECKING:
    from pathlib import Path


def host_arrays(folder: Path, name: str) -> SequenceModel:
    """Load the model of a folder of transformers; raises `ModelError` and MemoryError."""
    weights = read_array_weights(folder)
    try:
        vocabulary, encode = read_from_file(str(folder), len(weights.head))
    except VocabularyError as error:
        raise ModelError(f"The model {folder} cannot be hosted: {error}") from error
    numbers = f"F32 on cpu, numpy {np.__version__}"
    return SequenceModel(name, numbers, ArrayContext(weights, DOCUMENTS + 1), encode, vocabulary, weights.window)
