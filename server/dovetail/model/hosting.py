"""The sources of models: the embedded one, the catalogue, a folder, a file, the hub's names, an engine over HTTP.

What a model is decides who runs it: numpy the embedded model, llama.cpp a GGUF file, an engine what its address names,
transformers all else.
This file imports none of them, so a command can say what is missing before it needs it.
"""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dovetail.decoding.acceptance import read_calibration
from dovetail.decoding.cache_weights import read_weights
from dovetail.decoding.cached_proposer import CachedProposer
from dovetail.decoding.proposer import Proposer
from dovetail.model.catalogue import catalogue, nearest
from dovetail.model.engines.address import is_address, read_address
from dovetail.model.error import ModelError, first_line, require_extra, require_light
from dovetail.model.known_form import known_form
from dovetail.model.remedies import LIST
from dovetail.vocabulary.vocabulary import read_vocabulary

if TYPE_CHECKING:
    from dovetail.decoding.cache_weights import CacheWeights
    from dovetail.decoding.formats import PromptForm
    from dovetail.vocabulary.vocabulary import Vocabulary

logger = logging.getLogger(__name__)

EMBEDDED = Path(__file__).parent / "embedded"

EMBEDDED_NAME = "embedded"
"""The name of the embedded model."""

_GGUF = ".gguf"
CALIBRATION = "calibration.json"
"""The file with a model's calibration, which `python -m tests.evaluation.calibration` writes."""

CACHE = "cache.json"
"""The file with the weights of a cache of n-grams beside a model, which `python -m tests.benchmarks.cache` writes."""

LANGUAGES = "languages.json"
"""The file with the names of the languages that a model was made for, in the folder of the model."""

_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")
"""A name of the catalogue, `name`, or of the hub, `owner/name`."""


class _Hosted(Proposer, Protocol):
    """A model that is asked in a form of its own."""

    form: PromptForm | None


class _Place(NamedTuple):
    """The place of a model."""

    source: str
    """The path, or the name on the hub, that the library loads."""
    name: str
    """The model's name."""
    local: bool = True
    """True if it is on this machine."""
    embedded: bool = False
    """True if it is the embedded model, which numpy runs."""
    gguf: bool = False
    """True if it is a GGUF file."""
    engine: bool = False
    """True if an engine over HTTP runs it."""


def folder_or_name(given: str) -> str:
    """Return what a user wrote in a terminal for `load_model`: there a path goes before a name of the hub.

    A path that may not be examined stays as it was written; `load_model` then gives the reason.
    """
    try:
        path = Path(given).expanduser()
        return str(path.absolute()) if path.is_dir() or (path.suffix == _GGUF and path.is_file()) else given
    except (OSError, RuntimeError):
        return given


def known_languages(name_or_folder: str | None) -> tuple[str, ...] | None:
    """Return the languages that a model was made for, None means the embedded one; or None where it does not say.

    >>> known_languages(None)
    ('go', 'javascript', 'javascriptreact', 'json', 'jsonc', 'lua', 'python', 'typescript', 'typescriptreact')
    """
    written = _other(name_or_folder) or str(EMBEDDED)
    if not written.startswith(("/", ".", "~")) and not Path(written).is_absolute():
        return None  # a name of the hub, the catalogue or an engine
    try:
        return tuple(json.loads((Path(written).expanduser() / LANGUAGES).read_text("utf-8")))
    except (OSError, RuntimeError, ValueError):
        return None


def embedded_vocabulary() -> Vocabulary:
    """Return the vocabulary of the embedded model, without the model."""
    return read_vocabulary(json.loads((EMBEDDED / "tokenizer.json").read_text("utf-8")))


def cache_weights(name_or_folder: str | None) -> CacheWeights | None:
    """Return the weights of a cache of n-grams beside a model, None means the embedded one; or None without any.

    Raises ModelError for a file that holds something else.
    """
    written = Path(_other(name_or_folder) or EMBEDDED).expanduser()
    path = written / CACHE
    if not written.is_dir() or not path.exists():
        return None
    try:
        return read_weights(path)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be used ({first_line(error)}): remove it.") from error


def load_model(name_or_folder: str | None = None, device: str | None = None) -> Proposer:
    """Load a model as `load_plain_model` does; one with weights for it is mixed with a cache of n-grams (`CACHE`)."""
    proposer = load_plain_model(name_or_folder, device)
    weights = cache_weights(name_or_folder)
    return proposer if weights is None else CachedProposer(proposer, weights)


def load_plain_model(name_or_folder: str | None = None, device: str | None = None) -> Proposer:
    """Load a causal language model; None means the embedded one. `device` is `cpu`, or None for the fastest.

    A folder or a GGUF file is read as it is and nothing is fetched, nor for a name of the catalogue; `embedded` is the
    embedded model. A name with its owner, `owner/name`, is of the hub: its files are fetched if they are not in the
    hub's cache. A folder below the working folder is `./name`, so that a project cannot bring a model that goes by the
    name of another. What begins
    with `http://` or `https://` is the address of an engine (`engines/address.py`), which has devices of its own.

    Raises `ModelError` if the model cannot be loaded or is of an unknown kind, and the exceptions of its runtime for
    lack of memory or of its device.

    A folder may also hold a calibration (`CALIBRATION`); a model without one is believed as it is. A model that is new
    here is asked a few known places first, to learn in which form it wants its prompts (`known_form.py`).
    """
    place = _place(name_or_folder)
    if place.embedded or place.gguf or place.engine:
        require_light()
    else:
        require_extra()
    from dovetail.model.failure import failure_of

    try:
        proposer = _host(place, device)
        if not place.embedded and not place.engine:
            proposer.form = known_form(proposer, place.source, local=place.local)
        return proposer
    except ModelError:
        raise
    except Exception as error:  # the library reads many kinds of models, and fails in as many ways
        if failure_of(error) is not None:
            raise  # a failure of the machine, not a mistake of the user
        logger.info("The model %s cannot be hosted.", place.source, exc_info=True)
        reason = f"{type(error).__name__}: {first_line(error)}"
        raise ModelError(f"The model {place.source} cannot be hosted ({reason}): choose another one.") from error


def _host(place: _Place, device: str | None) -> _Hosted:
    if place.engine:
        from dovetail.model.runtimes.engine import host_engine

        return host_engine(read_address(place.source))
    if place.embedded:
        from dovetail.model.runtimes.arrays import host_arrays

        return host_arrays(Path(place.source), place.name)
    if place.gguf:
        from dovetail.model.runtimes.llama_cpp import host_gguf

        return host_gguf(Path(place.source), place.name, cpu=device == "cpu")
    from dovetail.model.hosted import host

    model = host(place.source, place.name, local=place.local, device=device)
    if place.local and (measured := Path(place.source) / CALIBRATION).exists():
        model.calibration = read_calibration(measured)
    return model


def _other(written: str | None) -> str | None:
    """Return the model that a user has named; None for the embedded one."""
    return None if written == EMBEDDED_NAME else written


def _place(written: str | None) -> _Place:
    """Return where the model is that a user has named."""
    written = _other(written)
    if written is None:
        if not (EMBEDDED / "config.json").exists():
            raise ModelError(f"The embedded model is missing from {EMBEDDED}: install Dovetail again.")
        return _Place(str(EMBEDDED), EMBEDDED_NAME, embedded=True)
    if is_address(written):
        return _Place(written, written, local=False, engine=True)
    try:
        return _path_or_hub(written, Path(written).expanduser())
    except RuntimeError:
        raise ModelError(f"There is no home folder for {written}: write the folder of the model without `~`.") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ModelError(f"The folder {written} cannot be read ({reason}): name one that can be.") from None


def _path_or_hub(written: str, path: Path) -> _Place:
    is_name = _NAME.fullmatch(written) is not None
    if path.is_dir() and is_name:
        # The library would load the folder, not the model of the hub.
        raise ModelError(f"{path} is read as a name, and is a folder here: write ./{path} if that is meant.")
    if path.is_dir():
        return _of_folder(path, path.resolve().name)
    if path.suffix == _GGUF:
        if not path.is_file():
            raise ModelError(f"There is no file {written}: name one that exists.")
        if is_name:
            raise ModelError(f"{path} is read as a name, and is a file here: write ./{path} if that is meant.")
        return _Place(str(path), path.stem, gguf=True)
    if path.is_file():
        raise ModelError(f"{path} is a file: name the folder that holds the model, or a GGUF file.")
    if written in catalogue():
        # Only here: it imports what the network needs, and a server starts faster without.
        from dovetail.model.downloaded import require_downloaded

        return _Place(str(require_downloaded(written)), written, gguf=True)
    if not is_name:
        raise ModelError(f"There is no folder {written}: name one that exists, or a model of the hub.")
    if "/" not in written:
        near = nearest(written, [EMBEDDED_NAME, *catalogue()])
        meant = "" if near is None else f": did you mean {near}?"
        raise ModelError(f"There is no model {written}{meant or ';'} {LIST} lists them.")
    return _Place(written, written, local=False)


def _of_folder(folder: Path, name: str) -> _Place:
    """Return the model of a folder; a GGUF file goes before other files, since it needs less to run."""
    files = sorted(folder.glob(f"*{_GGUF}"))
    if len(files) > 1:
        names = ", ".join(file.name for file in files)
        raise ModelError(f"The folder {folder} holds several models ({names}): name one of the files.")
    if files:
        return _Place(str(files[0]), name, gguf=True)
    if not (folder / "config.json").exists():
        raise ModelError(f"The folder {folder} holds no model (no config.json): name one that does.")
    return _Place(str(folder), name)
