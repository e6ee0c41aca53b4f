"""Pages about the host's one model, as clients ask for them before they send a window."""

from __future__ import annotations

from typing import Any

_OLLAMA_VERSION = "0.33.0"
"""The version of Ollama whose doors these are: clients compare it with the one that they need."""

_TEMPLATE = "{{ .Prompt }}{{ .Suffix }}"
"""Ollama's clients look for `.Suffix`, and send the text after the cursor where a template has it."""


def model_pages(model: str) -> dict[str, dict[str, Any]]:
    """Return the pages by their paths: OpenAI's list of models, and Ollama's."""
    models = {"object": "list", "data": [{"id": model, "object": "model", "owned_by": "dovetail"}]}
    details = {
        "parent_model": "", "format": "", "family": "dovetail", "families": ["dovetail"], "parameter_size": "",
        "quantization_level": "",
    }  # fmt: skip
    tag = {
        "name": model, "model": model, "modified_at": "1970-01-01T00:00:00Z", "size": 0, "digest": "",
        "details": details,
    }  # fmt: skip
    shown = {
        "modelfile": "", "parameters": "", "template": _TEMPLATE, "details": details, "model_info": {},
        "capabilities": ["completion", "insert"],
    }  # fmt: skip
    return {
        "/v1/models": models,
        "/models": models,
        "/api/tags": {"models": [tag]},
        "/api/show": shown,
        "/api/version": {"version": _OLLAMA_VERSION},
    }
