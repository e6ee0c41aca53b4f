"""The messages of a session at a team's host: what the language server posts, and what it is answered.

Each request is complete in itself but for documents, which travel as changes of a text that the host has. The host says
where it has lost one, and it is sent whole then.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

# Read when a request crosses to another process (`wire.py`).
from dovetail.completer.snapshot import Edit  # noqa: TC001
from dovetail.decoding.repository import ProjectContext  # noqa: TC001
from dovetail.settings import Settings, declared

if TYPE_CHECKING:
    from collections.abc import Mapping

SESSION_PATH = "/dovetail/session"
"""The address of the door, below that of the host."""

SessionOperation = Literal["load", "complete", "candidates", "read_on", "forget"]
"""The operations (`operations.py`) that a session may ask for."""

TAKEN_SETTINGS = frozenset(
    {
        "trigger", "max_tokens", "time_limit", "completion_time_limit", "shape", "min_characters", "candidates",
        "temperature", "top_p", "notebook_commands", "target_versions",
    }
)  # fmt: skip
"""The fields of the settings that a session decides; all others are the host's own."""

MOST_KEPT = 16
"""Documents that the host keeps of a session."""


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document, as edits of the text that the host has."""

    uri: str
    language: str
    """The client's name of the language."""
    version: int
    base: int | None
    """The number of the text that the edits change; None for the empty text of a document that is new there."""
    number: int
    """The number of the text after them."""
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class SessionRequest:
    """One request of a session."""

    session: str
    """The client's own name of the session, which nobody can guess."""
    operation: SessionOperation
    settings: dict[str, Any] | None = None
    """Settings by name, in the first request of a session; None for those of before."""
    document: DocumentChange | None = None
    """The document; None for `load` and `forget`."""
    offset: int = 0
    """The place in the document, in characters."""
    item: bool = False
    first: bool = False
    project: ProjectContext | None = None
    uri: str = ""
    """The document to forget."""


def taken(settings: Settings) -> dict[str, Any]:
    """Return the settings that a session decides, by the names of the user, as far as they are not the defaults.

    >>> taken(Settings(max_tokens=8, model="/models/mine", target_versions={"python": "3.9"}))
    {'max_tokens': 8, 'python.target_version': '3.9'}
    """
    default = Settings()
    found: dict[str, Any] = {}
    for setting in declared().values():
        value = getattr(settings, setting.field)
        if setting.field not in TAKEN_SETTINGS or value == getattr(default, setting.field):
            continue
        if setting.language is None:
            found[setting.name] = value
        elif setting.language in value:
            found[setting.name] = value[setting.language]
    return found


def only_taken(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the settings of a client that it decides.

    >>> only_taken({"model": "/etc", "trigger": "eager", "unheard_of": 1})
    {'trigger': 'eager'}
    """
    names = {name for name, setting in declared().items() if setting.field in TAKEN_SETTINGS}
    return {name: value for name, value in given.items() if name in names}


FIELDS = frozenset(field.name for field in fields(SessionRequest))
"""The names of a request's fields."""
