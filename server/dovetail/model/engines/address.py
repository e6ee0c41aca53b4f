"""The address of an engine over HTTP, as users write it in the place of a model.

    http://127.0.0.1:8000
    https://models.example.org/v1#model=Qwen/Qwen2.5-Coder-1.5B&tokenizer=/models/qwen

What follows the `#` stays here: the name of the model, where the engine has several, and the folder of its tokenizer.
"""

from __future__ import annotations

import ipaddress
import os
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from dovetail.model.error import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY_VARIABLE = "DOVETAIL_API_KEY"
"""The environment variable with a key: the address that it belongs to, a blank, and the key."""

_SCHEMES = ("http", "https")
_PARTS = ("model", "tokenizer")


class EngineAddress(NamedTuple):
    """The place of an engine, and the name of the model that is meant."""

    url: str
    """The address that every path of the engine follows, as `http://127.0.0.1:8000`."""
    model: str | None
    """The engine's name of the model; None for its only one."""
    tokenizer: str | None
    """The folder or file of the model's tokenizer on this machine; None if the engine has to tell its tokens."""
    key: str | None
    """The bearer token that the engine asks for; None for none."""


def is_address(written: str) -> bool:
    """Return whether what stands in the place of a model is the address of an engine.

    >>> is_address("http://127.0.0.1:8000"), is_address("owner/name")
    (True, False)
    """
    return written.partition("://")[0].lower() in _SCHEMES and "://" in written


def read_address(written: str, environment: Mapping[str, str] = os.environ) -> EngineAddress:
    """Return the parts of an address; raises ModelError for one that cannot be used.

    >>> read_address("http://[::1]:8000/v1#model=coder", {})
    EngineAddress(url='http://[::1]:8000', model='coder', tokenizer=None, key=None)
    """
    place, _, rest = written.partition("#")
    try:
        split = urlsplit(place)
        valid = bool(split.hostname) and (split.port is None or split.port > 0)
    except ValueError:
        valid = False
    if not valid:
        raise ModelError(f"{place} is no address of an engine: write one like http://127.0.0.1:8000.")
    if split.username is not None or split.query:
        # Settings may come from a project and are shown; a key must stand in neither.
        raise ModelError(
            f"The address {split.scheme}://{split.hostname} holds a password or a question: leave it out, and set "
            f"{KEY_VARIABLE} if the engine wants a key."
        )
    parts = {}
    for part in filter(None, rest.split("&")):
        name, equals, value = part.partition("=")
        if name not in _PARTS or not equals or not value:
            raise ModelError(f"{part} in the address {place} is unknown: write {place}#model=NAME&tokenizer=FOLDER.")
        parts[name] = unquote(value)
    url = place.rstrip("/").removesuffix("/v1").rstrip("/")
    return EngineAddress(url, parts.get("model"), parts.get("tokenizer"), _key(split, environment))


def is_loopback(url: str) -> bool:
    """Return whether an address is of this machine, so that nothing leaves it.

    >>> [is_loopback(url) for url in ("http://127.0.0.1:8000", "http://localhost", "https://example.org")]
    [True, True, False]
    """
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _key(place: SplitResult, environment: Mapping[str, str]) -> str | None:
    """Return the key for a place; None if there is none, or if it belongs to another place."""
    given = environment.get(KEY_VARIABLE, "").split()
    if not given:
        return None
    if len(given) != 2 or not is_address(given[0]):
        raise ModelError(
            f"{KEY_VARIABLE} does not say which engine its key is for: write the address, a blank and the key."
        )
    # A project that names another engine must not get the key.
    if origin(urlsplit(given[0])) != origin(place):
        return None
    if place.scheme != "https" and not is_loopback(place.geturl()):
        raise ModelError(f"The key for {place.netloc} would be sent in clear text: use https.")
    return given[1]


def origin(place: SplitResult) -> tuple[str, str | None, int | None]:
    """Return what tells a place from others: scheme, host and port."""
    return place.scheme, place.hostname, place.port or {"http": 80, "https": 443}[place.scheme]
