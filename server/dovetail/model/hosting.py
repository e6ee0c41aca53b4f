"""The sources of models: the embedded one, a folder, or a name on the Hugging Face hub.

This file does not import torch, so a command can say what is missing before it needs it.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.model.error import ModelError, first_line, require_extra

if TYPE_CHECKING:
    from dovetail.model.hosted import HostedModel

logger = logging.getLogger(__name__)

EMBEDDED = Path(__file__).parent / "embedded"

_HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")


def folder_or_name(given: str) -> str:
    """Return what a user wrote in a terminal for `load_model`: there a folder goes before a name of the hub.

    A path that may not be examined stays as it was written; `load_model` then gives the reason.
    """
    try:
        folder = Path(given).expanduser()
        return str(folder.absolute()) if folder.is_dir() else given
    except (OSError, RuntimeError):
        return given


def load_model(name_or_folder: str | None = None, device: str | None = None) -> HostedModel:
    """Load a causal language model; None means the embedded one. `device` is `cpu`, or None for the fastest.

    A folder is read as it is and nothing is fetched. `name` and `owner/name` are of the hub, whose files are fetched
    if they are not in the hub's cache; a folder below the working folder is `./name`, so that a project cannot bring a
    model that goes by the name of another. Raises `ModelError` if the model cannot be loaded or is of an unknown kind,
    and the exceptions of torch for lack of memory or of its device.
    """
    require_extra()
    source, name, local = _place(name_or_folder)
    from dovetail.model.fault import fault_of
    from dovetail.model.hosted import host

    try:
        return host(source, name, local=local, device=device)
    except ModelError:
        raise
    except Exception as error:  # of what models the library reads, some are made as nobody foresaw
        if fault_of(error) is not None:
            raise  # that is no mistake of the user's
        logger.info("The model %s cannot be hosted.", source, exc_info=True)
        reason = f"{type(error).__name__}: {first_line(error)}"
        raise ModelError(f"The model {source} cannot be hosted ({reason}): choose another one.") from error


def _place(written: str | None) -> tuple[str, str, bool]:
    """Return what the library is to load, what that is called, and whether it lies on this machine."""
    if written is None:
        if not (EMBEDDED / "config.json").exists():
            raise ModelError(f"The embedded model is missing from {EMBEDDED}: install Dovetail again.")
        return str(EMBEDDED), "embedded", True
    try:
        return _folder_or_hub(written, Path(written).expanduser())
    except RuntimeError:
        raise ModelError(f"There is no home folder for {written}: write the folder of the model without `~`.") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ModelError(f"The folder {written} cannot be read ({reason}): name one that can be.") from None


def _folder_or_hub(written: str, folder: Path) -> tuple[str, str, bool]:
    is_hub_name = _HUB_NAME.fullmatch(written) is not None
    if folder.is_dir() and is_hub_name:
        # The library would take the folder.
        raise ModelError(f"{folder} is a name of the hub, and a folder here: write ./{folder} if that is meant.")
    if folder.is_dir():
        if not (folder / "config.json").exists():
            raise ModelError(f"The folder {folder} holds no model (no config.json): name one that does.")
        return str(folder), folder.resolve().name, True
    if folder.is_file():
        raise ModelError(f"{folder} is a file: name the folder that holds the model.")
    if not is_hub_name:
        raise ModelError(f"There is no folder {written}: name one that exists, or a model of the hub.")
    return written, written, False
