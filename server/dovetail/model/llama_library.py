"""The C library llama.cpp, as far as it is used here: the declarations, and finding the file.

The package `xllamacpp` brings it as a wheel for Linux and macOS. Its own interface answers whole requests; a decoder
needs the logits of each token, so the functions of `llama.h` are called in its extension module directly. They are
visible there on Linux and macOS, and not on Windows.

Structures change between versions. What is declared is checked at load: the defaults that the library fills in have
to stand at the places where this file expects them.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_bool, c_char, c_char_p, c_float, c_int8, c_int32, c_size_t, c_uint32, c_void_p
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PACKAGE = "xllamacpp"

_SPINS = "10000"
"""The number of times that a thread looks for work before it sleeps.

Without a bound, threads that wait hold up the ones that work where cores are busy otherwise (measured with two threads
on two busy cores: a prompt took four times as long).
"""


class LibraryMissingError(Exception):
    """The library is not there, or not one that is known; the message is a clause that says what is wrong."""


class ModelParameters(ctypes.Structure):
    """`llama_model_params`; only what comes before the fields that moved between versions has a name."""

    _fields_ = (
        ("devices", c_void_p),
        ("tensor_buft_overrides", c_void_p),
        ("n_gpu_layers", c_int32),
        ("rest", c_char * 236),  # more than any version has
    )


class ContextParameters(ctypes.Structure):
    """`llama_context_params`; what follows moved between versions, and is left as the library fills it in."""

    _fields_ = (
        ("n_ctx", c_uint32),
        ("n_batch", c_uint32),
        ("n_ubatch", c_uint32),
        ("n_seq_max", c_uint32),
        ("n_rs_seq", c_uint32),
        ("n_outputs_max", c_uint32),
        ("n_outputs_max_per_seq", c_uint32),
        ("n_threads", c_int32),
        ("n_threads_batch", c_int32),
        ("ctx_type", c_int32),
        ("rope_scaling_type", c_int32),
        ("pooling_type", c_int32),
        ("attention_type", c_int32),
        ("flash_attn_type", c_int32),
        ("rope_freq_base", c_float),
        ("rope_freq_scale", c_float),
        ("yarn_ext_factor", c_float),
        ("yarn_attn_factor", c_float),
        ("yarn_beta_fast", c_float),
        ("yarn_beta_slow", c_float),
        ("yarn_orig_ctx", c_uint32),
        ("defrag_thold", c_float),
        ("cb_eval", c_void_p),
        ("cb_eval_user_data", c_void_p),
        ("type_k", c_int32),
        ("type_v", c_int32),
        ("rest", c_char * 144),  # more than any version has
    )


class Batch(ctypes.Structure):
    """`llama_batch`: tokens with their places and sequences."""

    _fields_ = (
        ("n_tokens", c_int32),
        ("token", POINTER(c_int32)),
        ("embd", c_void_p),
        ("pos", POINTER(c_int32)),
        ("n_seq_id", POINTER(c_int32)),
        ("seq_id", POINTER(POINTER(c_int32))),
        ("logits", POINTER(c_int8)),
    )


LogCallback = ctypes.CFUNCTYPE(None, ctypes.c_int, c_char_p, c_void_p)

_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    # name: result, arguments
    "llama_version": (c_char_p,),
    "llama_log_set": (None, LogCallback, c_void_p),
    "llama_backend_init": (None,),
    "llama_supports_gpu_offload": (c_bool,),
    "llama_model_default_params": (ModelParameters,),
    "llama_context_default_params": (ContextParameters,),
    "llama_model_load_from_file": (c_void_p, c_char_p, ModelParameters),
    "llama_model_free": (None, c_void_p),
    "llama_model_get_vocab": (c_void_p, c_void_p),
    "llama_model_desc": (c_int32, c_void_p, c_char_p, c_size_t),
    "llama_model_is_recurrent": (c_bool, c_void_p),
    "llama_model_is_hybrid": (c_bool, c_void_p),
    "llama_model_has_decoder": (c_bool, c_void_p),
    "llama_model_has_encoder": (c_bool, c_void_p),
    "llama_model_n_params": (ctypes.c_uint64, c_void_p),
    "llama_vocab_n_tokens": (c_int32, c_void_p),
    "llama_tokenize": (c_int32, c_void_p, c_char_p, c_int32, POINTER(c_int32), c_int32, c_bool, c_bool),
    "llama_init_from_model": (c_void_p, c_void_p, ContextParameters),
    "llama_free": (None, c_void_p),
    "llama_set_n_threads": (None, c_void_p, c_int32, c_int32),
    "llama_n_ctx_seq": (c_uint32, c_void_p),
    "llama_get_memory": (c_void_p, c_void_p),
    "llama_memory_seq_rm": (c_bool, c_void_p, c_int32, c_int32, c_int32),
    "llama_memory_seq_cp": (None, c_void_p, c_int32, c_int32, c_int32, c_int32),
    "llama_batch_init": (Batch, c_int32, c_int32, c_int32),
    "llama_batch_free": (None, Batch),
    "llama_decode": (c_int32, c_void_p, Batch),
    "llama_get_logits_ith": (POINTER(c_float), c_void_p, c_int32),
}


@cache
def load_library() -> ctypes.CDLL:
    """Return the library, loaded once and silent; raises LibraryMissingError."""
    file = _file()
    # Read once, when OpenMP's library is loaded; what the user has set stays.
    os.environ.setdefault("GOMP_SPINCOUNT", _SPINS)
    try:
        library = ctypes.CDLL(str(file))
    except OSError as error:
        raise LibraryMissingError(f"its library does not load ({error})") from error
    for name, (result, *arguments) in _FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise LibraryMissingError(f"{_version()} shows no function {name}") from None
        function.restype, function.argtypes = result, tuple(arguments)
    if not _is_known(library):
        raise LibraryMissingError(f"{_version()} has other structures than those known here")
    library.llama_log_set(_note_log, None)
    library.llama_backend_init()
    return library


def version() -> str:
    """Return the version of the loaded library, for people."""
    return f"llama.cpp {load_library().llama_version().decode()} ({_version()})"


def first_complaint() -> str:
    """Return the first error that the library has reported since they were forgotten, one line; empty without one."""
    return _complaints[0] if _complaints else ""


def forget_complaints() -> None:
    """Forget what the library has reported."""
    _complaints.clear()


def _version() -> str:
    return f"{PACKAGE} {metadata.version(PACKAGE)}"


def _file() -> Path:
    """Return the extension module that holds the library."""
    spec = find_spec(PACKAGE)
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    if not places:
        raise LibraryMissingError(f"the package {PACKAGE} is not installed")
    for place in places:
        for file in sorted(Path(place).glob(f"{PACKAGE}*")):
            if file.suffix in (".so", ".pyd"):
                return file
    raise LibraryMissingError(f"{_version()} holds no library")


def _is_known(library: ctypes.CDLL) -> bool:
    """Return whether the defaults stand where the structures above expect them."""
    model = library.llama_model_default_params()
    context = library.llama_context_default_params()
    counts = (context.n_ctx, context.n_batch, context.n_ubatch, context.n_seq_max)
    kinds = (context.rope_scaling_type, context.pooling_type, context.attention_type, context.flash_attn_type)
    return (
        (model.devices, model.n_gpu_layers) == (None, -1)
        and counts == (512, 2048, 512, 1)
        and context.n_threads == context.n_threads_batch > 0
        and kinds == (-1, -1, -1, -1)
        and context.defrag_thold == -1.0
        and (context.cb_eval, context.type_k, context.type_v) == (None, 1, 1)
    )


_complaints: list[str] = []
_ERROR = 4


def _note(level: int, text: bytes, _: object) -> None:
    """Keep what is said of an error; the library would print all of its talk to stderr."""
    if level == _ERROR and text.strip():
        line = text.decode(errors="replace").strip().splitlines()[0]
        _complaints.append(line.partition(": ")[2] or line)
        del _complaints[8:]


_note_log = LogCallback(_note)  # the library keeps its address, so it has to live as long
