"""Models that run through transformers, whatever else could run them."""

from __future__ import annotations

from dovetail.model.hosted import HostedModel, host
from dovetail.model.hosting import EMBEDDED


def hosted_model(folder: str | None = None, device: str | None = None) -> HostedModel:
    """Load a folder, or the embedded model, with transformers."""
    name = "embedded" if folder is None else folder.rpartition("/")[2]
    return host(folder or str(EMBEDDED), name, local=True, device=device)
