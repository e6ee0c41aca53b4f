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


def load_model(name_or_folder: str | None = None, device: str | None = None) -> HostedModel:
    """Load a causal language model; None means the embedded one. `device` is `cpu`, or None for the fastest.

    A folder is read as it is and nothing is fetched; any other name is one of the hub, whose files are
    fetched if they are not in the hub's cache. Raises `ModelError` if the model cannot be had or is not of a
    kind that can be hosted.
    """
    require_extra()
    from dovetail.model.hosted import host

    if name_or_folder is None:
        if not (EMBEDDED / "config.json").exists():
            raise ModelError(f"The embedded model is missing from {EMBEDDED}: install Dovetail again.")
        return host(str(EMBEDDED), "embedded", local=True, device=device)
    folder = Path(name_or_folder).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").exists():
            raise ModelError(f"The folder {folder} holds no model (no config.json): name one that does.")
        return host(str(folder), folder.resolve().name, local=True, device=device)
    if folder.exists():
        raise ModelError(f"{folder} is a file: name the folder that holds the model.")
    if _HUB_NAME.fullmatch(name_or_folder) is None:
        raise ModelError(f"There is no folder {name_or_folder}: name one that exists, or a model of the hub.")
    return host(name_or_folder, name_or_folder, local=False, device=device)
