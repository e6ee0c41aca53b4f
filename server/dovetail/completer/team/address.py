"""The address of a team's host, as users write it, and the key for it.

    https://completions.example.org

The key comes from the environment variable `DOVETAIL_TEAM_KEY` alone: the address, a blank, and the key. A project that
names another host gets neither the key nor a document: beyond this machine only a host with a key is asked.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from dovetail.model.engines.address import is_address, is_loopback, origin

if TYPE_CHECKING:
    from collections.abc import Mapping

TEAM_KEY_VARIABLE = "DOVETAIL_TEAM_KEY"
"""The environment variable with the key: the address that it belongs to, a blank, and the key."""


class TeamAddressError(ValueError):
    """An address that cannot be used; the message is one sentence with the remedy."""


class TeamAddress(NamedTuple):
    """The place of a team's host."""

    url: str
    """The address that every path follows."""
    key: str | None
    """None for a host on this machine that asks for none."""

    @property
    def place(self) -> str:
        """The host and its port, for people."""
        return urlsplit(self.url).netloc


def read_team_address(written: str, environment: Mapping[str, str] = os.environ) -> TeamAddress:
    """Return the parts of an address; raises TeamAddressError for one that cannot be used.

    >>> read_team_address("http://127.0.0.1:8750/", {})
    TeamAddress(url='http://127.0.0.1:8750', key=None)
    """
    try:
        split = urlsplit(written.strip())
        valid = is_address(written.strip()) and bool(split.hostname) and (split.port is None or split.port > 0)
    except ValueError:
        valid = False
    if not valid:
        raise TeamAddressError(
            f"{written} is no address of a team's host: write one like https://completions.example.org in `team.host`."
        )
    if split.username is not None or split.query or split.fragment:
        raise TeamAddressError(
            f"The address {split.scheme}://{split.hostname} holds more than a place: leave it out of `team.host`, and "
            f"set {TEAM_KEY_VARIABLE} for a key."
        )
    url = written.strip().rstrip("/")
    if split.scheme != "https" and not is_loopback(url):
        raise TeamAddressError(f"Documents would go to {split.netloc} in clear text: write https:// in `team.host`.")
    key = _key(url, environment)
    if key is None and not is_loopback(url):
        raise TeamAddressError(
            f"There is no key for the team's host at {split.netloc}: set {TEAM_KEY_VARIABLE} to the address, a blank "
            "and the key."
        )
    return TeamAddress(url, key)


def _key(url: str, environment: Mapping[str, str]) -> str | None:
    """Return the key for a place; None if there is none, or if it belongs to another place."""
    given = environment.get(TEAM_KEY_VARIABLE, "").split()
    if not given:
        return None
    if len(given) != 2 or not is_address(given[0]):
        raise TeamAddressError(
            f"{TEAM_KEY_VARIABLE} does not say which host its key is for: write the address, a blank and the key."
        )
    return given[1] if origin(urlsplit(given[0])) == origin(urlsplit(url)) else None
