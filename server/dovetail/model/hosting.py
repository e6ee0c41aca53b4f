"""Where a model comes from: the embedded one, a folder, or a name on the Hugging Face hub.

This file does not import torch, so a command can say what is missing before it needs it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from dovetail.model.error import ModelError, require_extra

if TYPE_CHECKING:
    from dovetail.model.hosted import HostedModel

EMBEDDED = Path(__file__).parent / "embedded"

_HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")


def folder_or_name(given: str) -> str:
    """Return what a user wrote in a terminal for `load_model`: there a folder goes before a name of the hub."""
    folder = Path(given).expanduser()
    return str(folder.absolute()) if folder.is_dir() else given


def load_model(name_or_folder: str | None = None, device: str | None = None) -> HostedModel:
    """Load a causal language model; None means the embedded one. `device` is `cpu`, or None for the fastest.

    A folder is read as it is and nothing is fetched. `name` and `owner/name` are of the hub, whose files are fetched
    if they are not in the hub's cache; a folder below the working folder is `./name`, so that a project cannot bring a
    model that goes by the name of another. Raises `ModelError` if the model cannot be had or is not of a kind that can
    be hosted.
    """
    require_extra()
    from dovetail.model.hosted import host

    if name_or_folder is None:
        if not (EMBEDDED / "config.json").exists():
            raise ModelError(f"The embedded model is missing from {EMBEDDED}: install Dovetail again.")
        return host(str(EMBEDDED), "embedded", local=True, device=device)
    folder = Path(name_or_folder).expanduser()
    is_hub_name = _HUB_NAME.fullmatch(name_or_folder) is not None
    if folder.is_dir() and is_hub_name:
        # The library would take the folder.
        raise ModelError(f"{folder} is a name of the hub, and a folder here: write ./{folder} if that is meant.")
    if folder.is_dir():
        if not (folder / "config.json").exists():
            raise ModelError(f"The folder {folder} holds no model (no config.json): name one that does.")
        return host(str(folder), folder.resolve().name, local=True, device=device)
    if folder.is_file():
        raise ModelError(f"{folder} is a file: name the folder that holds the model.")
    if not is_hub_name:
        raise ModelError(f"There is no folder {name_or_folder}: name one that exists, or a model of the hub.")
    return host(name_or_folder, name_or_folder, local=False, device=device)
