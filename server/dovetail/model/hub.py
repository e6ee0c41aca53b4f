"""The Hugging Face hub, or a mirror of it: what it says of a file, and the file's bytes.

Only commands that a user gave come here. Each error is one sentence, and comes after one attempt: who is offline
reads that at once.
"""

from __future__ import annotations

import http.client
import logging
import os
import re
import ssl
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from typing import IO, TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote, urlsplit

import truststore

from dovetail.model.error import ModelError, first_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

logger = logging.getLogger(__name__)

_HUB = "https://huggingface.co"
_ADDRESS = "HF_ENDPOINT"
"""The environment variable that names a mirror, as the hub's own tools have it."""
_OFFLINE = "HF_HUB_OFFLINE"
"""The environment variable that keeps the hub's own tools off the network."""
_YES = ("1", "ON", "YES", "TRUE")

_PATIENCE = 20.0
"""Seconds without any answer, or without a byte, after which the connection counts as lost."""

_PIECE = 2**20
"""The most bytes that are taken at once."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(?:\d+|\*)")

_NOT_FOR_ALL = (401, 403, 404)
_RANGE_REFUSED = 416
_PARTIAL = 206


class HubError(ModelError):
    """The hub, or the way to it, does not give what was asked for."""


@dataclass(frozen=True, slots=True)
class HubFile:
    """The hub's answer about one file."""

    repository: str
    name: str
    commit: str
    """The version of the repository."""
    size: int
    """Bytes."""
    sha256: str
    """The digest of its content, in hexadecimal."""


def hub_address() -> str:
    """Return the address of the hub, or of the mirror that the environment names."""
    address = os.environ.get(_ADDRESS, "").rstrip("/") or _HUB
    if urlsplit(address).scheme not in ("http", "https"):
        raise HubError(f"{_ADDRESS} is {address}, no address of a hub: let it begin with https://, or remove it.")
    return address


def describe(repository: str, name: str) -> HubFile:
    """Ask the hub about a large file; raises HubError."""
    headers = _headers(repository, name)
    commit = headers.get("X-Repo-Commit", "")
    sha256 = (headers.get("X-Linked-Etag") or headers.get("ETag") or "").removeprefix("W/").strip('"')
    size = headers.get("X-Linked-Size") or headers.get("Content-Length") or ""
    if not (_COMMIT.fullmatch(commit) and _SHA256.fullmatch(sha256) and size.isdecimal()):
        raise HubError(
            f"{hub_address()} does not name the version, the size and the SHA-256 digest of {name}, so nothing was "
            f"fetched: see {_ADDRESS}, which may name another hub."
        )
    return HubFile(repository, name, commit, int(size), sha256)


def require_reachable() -> None:
    """Return if the hub gives any answer; raises HubError."""
    request = urllib.request.Request(hub_address(), headers=_own_headers(), method="HEAD")
    try:
        _opener().open(request, timeout=_PATIENCE).close()
    except urllib.error.HTTPError as error:
        error.close()
    except _FAILURES as error:
        _refuse(error)


@contextmanager
def opened(file: HubFile, start: int) -> Iterator[tuple[Iterator[bytes], int]]:
    """Give the bytes of a file in pieces, and the place at which they begin: `start`, or 0 if the hub refuses that.

    Where the connection is lost, the bytes end. Raises HubError if they cannot be had at all.
    """
    request = urllib.request.Request(_address(file.repository, file.name, file.commit), headers=_own_headers())
    if start:
        request.add_header("Range", f"bytes={start}-")
    try:
        answer = _open_range(request)
    except _FAILURES as error:
        _refuse(error, file.repository, file.name)
    with answer:
        given = _CONTENT_RANGE.match(answer.headers.get("Content-Range", "")) if answer.status == _PARTIAL else None
        yield _pieces(answer), int(given[1]) if given else 0


def _open_range(request: urllib.request.Request) -> http.client.HTTPResponse:
    """Open an address, and once more without a range if the range is refused."""
    answer: http.client.HTTPResponse
    try:
        answer = _opener().open(request, timeout=_PATIENCE)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code != _RANGE_REFUSED:
            raise
        request.remove_header("Range")
        answer = _opener().open(request, timeout=_PATIENCE)
    return answer


def _pieces(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    try:
        while piece := answer.read1(_PIECE):
            yield piece
    except (OSError, http.client.HTTPException) as error:
        logger.info("The connection to the hub was lost: %s", error)


_FAILURES = (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError, ssl.SSLError)


class _StopBeforeStorage(urllib.request.HTTPRedirectHandler):
    """Follows renamed repositories; what the hub says of a file stands in the answer that leads to its storage."""

    def redirect_request(
        self, request: urllib.request.Request, answer: IO[bytes], code: int, reason: str, headers: Message, url: str
    ) -> urllib.request.Request | None:
        if "X-Linked-Etag" in headers:
            return None
        return super().redirect_request(request, answer, code, reason, headers, url)  # type: ignore[arg-type]


def _headers(repository: str, name: str) -> Message:
    """Return the headers of the hub's answer about a file."""
    request = urllib.request.Request(_address(repository, name, "main"), headers=_own_headers(), method="HEAD")
    try:
        with _opener(_StopBeforeStorage()).open(request, timeout=_PATIENCE) as answer:
            headers: Message = answer.headers
            return headers
    except urllib.error.HTTPError as error:
        error.close()
        if "X-Linked-Etag" in error.headers:
            return error.headers
        _refuse(error, repository, name)
    except _FAILURES as error:
        _refuse(error, repository, name)


def _address(repository: str, name: str, version: str) -> str:
    return f"{hub_address()}/{quote(repository)}/resolve/{version}/{quote(name)}"


def _own_headers() -> dict[str, str]:
    return {"User-Agent": f"dovetail/{metadata.version('dovetail')}"}


def _opener(*handlers: Any) -> urllib.request.OpenerDirector:
    """Return what opens an address: through the system's proxies, with the system's certificates."""
    if os.environ.get(_OFFLINE, "").upper() in _YES:
        raise HubError(f"{_OFFLINE} is set, so nothing is fetched: unset it, or name a model that is on this machine.")
    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), *handlers)


def _refuse(error: Exception, repository: str = "", name: str = "") -> NoReturn:
    """Raise the sentence for an exception of the network."""
    if isinstance(error, urllib.error.HTTPError):
        if error.code in _NOT_FOR_ALL:
            raise HubError(
                f"{hub_address()} has no file {name} in {repository} for everybody (HTTP {error.code}): choose another "
                "model."
            ) from error
        raise HubError(f"{hub_address()} refuses {repository} (HTTP {error.code}): try again later.") from error
    reason: object = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        said = f"no answer within {_PATIENCE:.0f} s"
    elif isinstance(reason, OSError) and reason.strerror:
        said = reason.strerror
    else:
        said = first_line(reason) if isinstance(reason, Exception) else str(reason)
    raise HubError(
        f"{hub_address()} cannot be reached ({said}): connect this machine, or name a model that is on it."
    ) from error
