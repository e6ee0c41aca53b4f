"""The configuration of a team's host: a small TOML file, of which each mistake is one sentence."""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from dovetail.team.keys import KeyHolder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_LOOPBACK = re.compile(r"127(\.\d{1,3}){3}|::1|localhost")
_DIGEST = re.compile(r"[0-9a-f]{64}")


class TeamConfigurationError(ValueError):
    """A mistake in a configuration; the message is one sentence with the place and the remedy."""


class _Kind(NamedTuple):
    wanted: str
    fits: Callable[[Any], bool]


def _whole(least: int, most: int) -> _Kind:
    return _Kind(
        f"a whole number from {least:,} to {most:,}",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most,
    )


_TEXT = _Kind("a text", lambda value: isinstance(value, str) and value.strip() != "")
_SWITCH = _Kind("true or false", lambda value: isinstance(value, bool))
_KEYS = _Kind("tables, each headed [[keys]]", lambda value: isinstance(value, list))
_NAME = _Kind(
    "a name of letters, digits, dots and hyphens",
    lambda value: isinstance(value, str) and re.fullmatch(r"[\w.-]{1,64}", value) is not None,
)
_SHA256 = _Kind(
    "the 64 digits that `dovetail host --new-key NAME` prints",
    lambda value: isinstance(value, str) and _DIGEST.fullmatch(value) is not None,
)

_FORM = {
    "address": _TEXT,
    "port": _whole(0, 65535),
    "model": _TEXT,
    "replicas": _whole(1, 64),
    "most_waiting": _whole(1, 10_000),
    "most_connections": _whole(1, 100_000),
    "most_kilobytes": _whole(1, 65_536),
    "most_tokens": _whole(1, 1_024),
    "most_seconds": _whole(1, 600),
    "certificate": _TEXT,
    "certificate_key": _TEXT,
    "behind_proxy": _SWITCH,
    "audit": _TEXT,
    "keys": _KEYS,
}
_FORM_OF_KEY = {
    "name": _NAME,
    "sha256": _SHA256,
    "most_at_once": _whole(1, 10_000),
    "per_minute": _whole(1, 1_000_000),
}
_PATHS = {"certificate", "certificate_key", "audit"}


@dataclass(frozen=True, slots=True)
class TeamConfiguration:
    """The configuration of one host."""

    address: str = "127.0.0.1"
    """The address to listen at."""
    port: int = 8750
    """0 for any that is free."""
    model: str | None = None
    """None for the embedded one."""
    replicas: int = 1
    """Processes that each hold the model and the engine."""
    most_waiting: int = 32
    """Requests that wait or are written; all others are told to come again."""
    most_connections: int = 512
    most_kilobytes: int = 1_024
    """The size of a body."""
    most_tokens: int = 256
    """The greatest number of tokens that a client may ask for."""
    most_seconds: int = 5
    """The time for one text; a client may ask for less."""
    certificate: Path | None = None
    certificate_key: Path | None = None
    behind_proxy: bool = False
    """True if something else before the host speaks TLS."""
    audit: Path | None = None
    keys: tuple[KeyHolder, ...] = field(default=())
    """Empty if every client of this machine may ask."""

    @property
    def is_loopback(self) -> bool:
        """True if only this machine reaches the host."""
        return _LOOPBACK.fullmatch(self.address) is not None


def read_configuration(path: Path) -> TeamConfiguration:
    """Return the configuration of a file; raises TeamConfigurationError. Paths in it are beside the file."""
    try:
        written = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise TeamConfigurationError(f"{path} cannot be read ({error.strerror}): name a file that can be.") from error
    except UnicodeDecodeError as error:
        raise TeamConfigurationError(f"{path} is no text in UTF-8: save it as one.") from error
    except tomllib.TOMLDecodeError as error:
        raise TeamConfigurationError(f"{path} is no TOML ({error}): mend that place.") from error
    _check(path, "", written, _FORM)
    keys = [_key(path, number, table) for number, table in enumerate(written.pop("keys", []), 1)]
    names = [holder.name for holder in keys]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise TeamConfigurationError(f"{path}: two keys have the name `{twice}`: give each its own.")
    values = {name: path.parent / value if name in _PATHS else value for name, value in written.items()}
    configuration = TeamConfiguration(**values, keys=tuple(keys))
    _check_safety(path, configuration)
    return configuration


def _key(path: Path, number: int, table: object) -> KeyHolder:
    place = f"key {number}: "
    if not isinstance(table, dict):
        raise TeamConfigurationError(f"{path}: key {number} is no table: head it [[keys]].")
    _check(path, place, table, _FORM_OF_KEY)
    for name in ("name", "sha256"):
        if name not in table:
            raise TeamConfigurationError(f"{path}: {place}`{name}` is missing: write {_FORM_OF_KEY[name].wanted}.")
    limits = {known.name: table[known.name] for known in fields(KeyHolder) if known.name in table}
    return KeyHolder(**limits)


def _check(path: Path, place: str, table: Mapping[str, Any], form: Mapping[str, _Kind]) -> None:
    for name, value in table.items():
        if name not in form:
            near = difflib.get_close_matches(name, form, 1)
            remedy = f"write `{near[0]}`" if near else f"write one of {', '.join(form)}"
            raise TeamConfigurationError(f"{path}: {place}`{name}` is not known: {remedy}.")
        if not form[name].fits(value):
            raise TeamConfigurationError(f"{path}: {place}`{name}` is {value!r}: write {form[name].wanted}.")


def _check_safety(path: Path, read: TeamConfiguration) -> None:
    """Refuse a host that would read texts and answer for everyone who reaches it."""
    if (read.certificate is None) != (read.certificate_key is None):
        missing = "certificate_key" if read.certificate_key is None else "certificate"
        raise TeamConfigurationError(f"{path}: `{missing}` is missing: name both files, or neither.")
    for name in ("certificate", "certificate_key"):
        file = getattr(read, name)
        if file is not None and not file.is_file():
            raise TeamConfigurationError(f"{path}: there is no file {file}: let `{name}` name one in PEM's form.")
    if read.is_loopback:
        return
    if not read.keys:
        raise TeamConfigurationError(
            f"{path}: others reach {read.address}, but there are no keys: make one with `dovetail host --new-key NAME`."
        )
    if read.certificate is None and not read.behind_proxy:
        raise TeamConfigurationError(
            f"{path}: texts would go to {read.address} in clear: name `certificate` and `certificate_key`, or write "
            "`behind_proxy = true` if something before the host speaks TLS."
        )
