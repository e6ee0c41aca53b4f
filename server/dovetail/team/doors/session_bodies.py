"""The reading of a session's body: what a language server posts, each field judged before anything is done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from dovetail.completer.team.messages import FIELDS, DocumentChange, SessionOperation, SessionRequest
from dovetail.decoding.repository import OtherFile, ProjectContext
from dovetail.team.doors.window_request import BodyError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.completer.snapshot import Edit

_OPERATIONS: tuple[str, ...] = get_args(SessionOperation)
_MOST_EDITS = 64
_MOST_FILES = 64
_LONGEST = 4_096
"""Characters of a name or an address."""


def read_session(body: Mapping[str, Any]) -> SessionRequest:
    """Return the request of a body; raises BodyError for one that no client of ours sends."""
    strange = next((name for name in body if name not in FIELDS), None)
    if strange is not None:
        raise BodyError(f"The field `{strange[:40]}` is not known; send those of a session.")
    operation = body.get("operation")
    if operation not in _OPERATIONS:
        raise BodyError(f"The field `operation` is not one of {', '.join(_OPERATIONS)}; send one of them.")
    settings = body.get("settings")
    if settings is not None and not isinstance(settings, dict):
        raise _mistake("settings", "an object")
    given = body.get("document")
    document = None if given is None else _document(given)
    if document is None and operation not in ("load", "forget"):
        raise _mistake("document", "an object")
    project = body.get("project")
    return SessionRequest(
        _name(body, "session"), operation, settings, document, _count(body, "offset"), _switch(body, "item"),
        _switch(body, "first"), None if project is None else _project(project), _text(body, "uri", _LONGEST),
    )  # fmt: skip


def _document(given: object) -> DocumentChange:
    table = _table(given, "document")
    edits = table.get("edits")
    if not isinstance(edits, list) or len(edits) > _MOST_EDITS:
        raise _mistake("edits", f"a list of at most {_MOST_EDITS} edits")
    return DocumentChange(
        _name(table, "uri"), _text(table, "language", _LONGEST), _whole(table.get("version"), "version"),
        None if table.get("base") is None else _count(table, "base"), _count(table, "number"),
        tuple(map(_edit, edits)),
    )  # fmt: skip


def _edit(given: object) -> Edit:
    if not isinstance(given, list) or len(given) != 3:
        raise _mistake("edits", "a list of a start, an end and a text each")
    start, end, text = given
    return _whole(start, "edits"), _whole(end, "edits"), _encodable(text, "edits")


def _project(given: object) -> ProjectContext:
    table = _table(given, "project")
    files = table.get("files", [])
    if not isinstance(files, list) or len(files) > _MOST_FILES:
        raise _mistake("files", f"a list of at most {_MOST_FILES} files")
    return ProjectContext(
        _text(table, "path", _LONGEST), _text(table, "repository", _LONGEST), _optional(table, "language"),
        _optional(table, "comment"),
        tuple(OtherFile(_text(each, "path", _LONGEST), _text(each, "text")) for each in map(_file, files)),
    )  # fmt: skip


def _file(given: object) -> Mapping[str, Any]:
    return _table(given, "files")


def _table(given: object, name: str) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        raise _mistake(name, "an object")
    return given


def _whole(value: object, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 1 << 53:
        raise _mistake(name, "a whole number")
    return value


def _count(table: Mapping[str, Any], name: str) -> int:
    value = _whole(table.get(name, 0), name)
    if value < 0:
        raise _mistake(name, "a whole number of at least 0")
    return value


def _switch(table: Mapping[str, Any], name: str) -> bool:
    value = table.get(name, False)
    if not isinstance(value, bool):
        raise _mistake(name, "true or false")
    return value


def _name(table: Mapping[str, Any], name: str) -> str:
    value = _text(table, name, _LONGEST)
    if not value:
        raise _mistake(name, "a text that is not empty")
    return value


def _optional(table: Mapping[str, Any], name: str) -> str | None:
    return None if table.get(name) is None else _text(table, name, _LONGEST)


def _text(table: Mapping[str, Any], name: str, most: int | None = None) -> str:
    value = _encodable(table.get(name, ""), name)
    if most is not None and len(value) > most:
        raise _mistake(name, f"a text of at most {most:,} characters")
    return value


def _encodable(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise _mistake(name, "a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _mistake(name, "a text of whole characters") from None
    return value


def _mistake(name: str, wanted: str) -> BodyError:
    return BodyError(f"The field `{name}` is not {wanted}; send it so.")
