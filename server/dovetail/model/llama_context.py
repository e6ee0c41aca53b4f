"""A model that llama.cpp has loaded, and the sequences of tokens that it has read."""

from __future__ import annotations

import os
import weakref
from contextlib import ExitStack
from ctypes import c_int32, c_void_p
from typing import TYPE_CHECKING, Any

import numpy as np

from dovetail.model.error import ModelError
from dovetail.model.failure import DeviceFailureError
from dovetail.model.free_cores import free_cores, usable_cores
from dovetail.model.llama_library import first_complaint, forget_complaints, load_library
from dovetail.model.sequence_context import MOST_ROWS

if TYPE_CHECKING:
    import ctypes
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from dovetail.model.sequence_context import SequencePart

_PASS = 256
"""Tokens that go through the model at once. Attention takes fewer products in small passes, and 64 to 256 took the
same time for a prompt (embedded model, one thread), 1,024 half as much again."""

_MOST_BATCH = 2048

_SMALL = 50_000_000
"""Parameters up to which one thread writes: a second one waits longer for the first than it helps."""

_MOST_THREADS = 8

_FEW = 16
"""Tokens for which the threads of a small model are not counted anew; most passes read fewer."""

_NO_ROOM, _NO_MEMORY = 1, -2
"""Answers of `llama_decode`."""

_CPU_ONLY, _ALL_LAYERS = 0, -1

_F32 = 0
"""The type of a small model's keys and values; half precision moves log-probabilities by some hundredths, depending on
how many tokens were read at once, and saves a few megabytes here."""


class LlamaContext:
    """A loaded model with room for a few sequences; closed when nothing refers to it."""

    def __init__(self, path: Path, window: int, sequences: int, *, cpu: bool) -> None:
        """Load the file of a model; raises ModelError, MemoryError and LibraryMissingError.

        `window`: the most tokens of a sequence. `cpu`: leave other devices alone.
        """
        self._library = library = load_library()
        # From the last made to the first: a context refers to its model.
        made = ExitStack()
        weakref.finalize(self, made.close)
        forget_complaints()
        parameters = library.llama_model_default_params()
        parameters.n_gpu_layers = _CPU_ONLY if cpu else _ALL_LAYERS
        model = library.llama_model_load_from_file(os.fsencode(path), parameters)
        if model is None:
            raise _refused(f"The model {path} cannot be loaded")
        made.callback(library.llama_model_free, model)
        self.on_cpu = cpu or not library.llama_supports_gpu_offload()
        self.can_take_back = not (library.llama_model_is_recurrent(model) or library.llama_model_is_hybrid(model))
        """True if the last tokens of a sequence can be taken out again; otherwise only all of it can."""
        if library.llama_model_has_encoder(model) or not library.llama_model_has_decoder(model):
            raise ModelError(f"The model {path} is no causal language model: choose one that writes text.")
        self.parameters = int(library.llama_model_n_params(model))
        self.vocabulary = c_void_p(library.llama_model_get_vocab(model))
        self.size = int(library.llama_vocab_n_tokens(self.vocabulary))
        self._context = self._open(model, window, sequences)
        made.callback(library.llama_free, self._context)
        self.sequences = sequences
        self.window = int(library.llama_n_ctx_seq(self._context))
        """The most tokens of a sequence; at least those that were asked for."""
        self._memory = library.llama_get_memory(self._context)
        self._capacity = min(_MOST_BATCH, self.window)
        self._batch: Any = library.llama_batch_init(self._capacity, 0, 1)
        made.callback(library.llama_batch_free, self._batch)
        np.ctypeslib.as_array(self._batch.n_seq_id, (self._capacity,))[:] = 1
        # Views: what is written into them is in the batch.
        self._tokens = np.ctypeslib.as_array(self._batch.token, (self._capacity,))
        self._places = np.ctypeslib.as_array(self._batch.pos, (self._capacity,))
        self._wanted = np.ctypeslib.as_array(self._batch.logits, (self._capacity,))

    def read(self, sequence: int, start: int, tokens: Sequence[int], rows: int) -> NDArray[np.float32]:
        """Read tokens from a place of a sequence on; return the logits after each of the last `rows`.

        Raises MemoryError and DeviceFailureError; which of the tokens were read is then unknown.
        """
        assert start + len(tokens) <= self.window, "the sequence is longer than the window"
        assert 0 < rows <= min(MOST_ROWS, len(tokens)), rows
        last = len(tokens) - rows
        found = np.empty((rows, self.size), np.float32)  # (rows, vocabulary)
        for begin in range(0, len(tokens), self._capacity):
            part = tokens[begin : begin + self._capacity]
            count = len(part)
            self._tokens[:count] = part
            self._places[:count] = np.arange(start + begin, start + begin + count)
            self._wanted[:count] = np.arange(begin, begin + count) >= last
            for at in range(count):
                self._batch.seq_id[at][0] = sequence
            self._decode(count)
            for at in range(max(0, last - begin), count):
                found[begin + at - last] = self._row(at)
        return found

    def read_parts(self, parts: Sequence[SequencePart]) -> list[NDArray[np.float32]]:
        """Read parts of different sequences, in one pass if they have room in it; return the logits of each.

        Raises MemoryError and DeviceFailureError as `read` does.
        """
        count = sum(len(part.tokens) for part in parts)
        if len(parts) == 1 or count > self._capacity:
            return [self.read(*part) for part in parts]
        assert sum(part.rows for part in parts) <= MOST_ROWS, parts
        at = 0
        for part in parts:
            assert part.start + len(part.tokens) <= self.window, "the sequence is longer than the window"
            end = at + len(part.tokens)
            self._tokens[at:end] = part.tokens
            self._places[at:end] = np.arange(part.start, part.start + len(part.tokens))
            self._wanted[at:end] = np.arange(at, end) >= end - part.rows
            for place in range(at, end):
                self._batch.seq_id[place][0] = part.sequence
            at = end
        self._decode(count)
        found, end = [], 0
        for part in parts:
            end += len(part.tokens)
            found.append(np.stack([self._row(place) for place in range(end - part.rows, end)]))
        return found

    def copy(self, sequence: int, other: int) -> None:
        """Put a copy of all that a sequence holds in the place of another."""
        self._library.llama_memory_seq_rm(self._memory, other, -1, -1)
        self._library.llama_memory_seq_cp(self._memory, sequence, other, -1, -1)

    def take_back(self, sequence: int, start: int) -> bool:
        """Take a sequence's tokens from a place on out of its memory; return False if that cannot be done."""
        return bool(self._library.llama_memory_seq_rm(self._memory, sequence, start, -1))

    def tokenize(self, text: bytes) -> list[int]:
        """Return the tokens of a text; what looks like a control token stays text."""
        room = len(text) + 8
        tokens = (c_int32 * room)()
        count = self._library.llama_tokenize(self.vocabulary, text, len(text), tokens, room, False, False)
        assert 0 <= count <= room, "no text has more tokens than bytes"
        return list(tokens[:count])

    def _decode(self, count: int) -> None:
        self._batch.n_tokens = count
        steps, prompts = self._threads
        if steps > 1 or (prompts > 1 and count > _FEW):
            free = free_cores()
            self._library.llama_set_n_threads(self._context, min(steps, free), min(prompts, free))
        forget_complaints()
        answer = self._library.llama_decode(self._context, self._batch)
        if answer == 0:
            return
        assert answer != _NO_ROOM, "a sequence has room for its window"
        if answer == _NO_MEMORY:
            raise MemoryError("llama.cpp ran out of memory")
        raise DeviceFailureError(f"llama.cpp could not compute ({answer}): {first_complaint()}")

    def _row(self, at: int) -> NDArray[np.float32]:
        """Return the logits after a token of the last batch; the next batch overwrites them."""
        return np.ctypeslib.as_array(self._library.llama_get_logits_ith(self._context, at), (self.size,))

    def _open(self, model: int, window: int, sequences: int) -> ctypes.c_void_p:
        library = self._library
        parameters = library.llama_context_default_params()
        parameters.n_ctx = window * sequences
        parameters.n_seq_max = sequences
        parameters.n_batch = min(_MOST_BATCH, window)
        parameters.n_ubatch = min(_PASS, window)
        parameters.n_outputs_max = parameters.n_outputs_max_per_seq = min(MOST_ROWS, window)
        cores = min(usable_cores(), _MOST_THREADS)
        # Of a step and of a prompt, where all cores are free.
        self._threads = 1 if self.parameters <= _SMALL else cores, min(cores, 2) if self.parameters <= _SMALL else cores
        parameters.n_threads, parameters.n_threads_batch = self._threads
        if self.parameters <= _SMALL:
            parameters.type_k = parameters.type_v = _F32
        # Steps take a third longer with it on a processor; prompts take a sixth less.
        parameters.flash_attn_type = 0 if self.on_cpu else -1
        context = library.llama_init_from_model(model, parameters)
        if context is None:
            raise MemoryError(f"llama.cpp made no room for {sequences} texts of {window} tokens: {first_complaint()}")
        return c_void_p(context)


def _refused(what: str) -> Exception:
    """Return the exception for a file that was not loaded, with what the library complained of."""
    complaint = first_complaint()
    if "alloc" in complaint.lower() or "memory" in complaint.lower():
        return MemoryError(complaint)
    return ModelError(f"{what} ({complaint or 'no reason is given'}): choose another file.")
