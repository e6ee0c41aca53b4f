"""Addresses of a team's host: none without TLS or a key of its own beyond this machine."""

from __future__ import annotations

import pytest

from dovetail.completer.team.address import TeamAddress, TeamAddressError, read_team_address

THERE = "https://host.example.org"


def test_an_address_beyond_this_machine_needs_its_key() -> None:
    """A host whose address the user has not put beside a key, as one that a project names, is sent nothing."""
    known = {"DOVETAIL_TEAM_KEY": f"{THERE} secret"}
    assert read_team_address(f"{THERE}/", known) == TeamAddress(THERE, "secret")
    assert read_team_address(f"{THERE}:443/team", known) == TeamAddress(f"{THERE}:443/team", "secret")
    for other in ("https://other.example.org", f"{THERE}:444"):
        with pytest.raises(TeamAddressError, match="There is no key"):
            read_team_address(other, known)
    with pytest.raises(TeamAddressError, match="There is no key"):
        read_team_address(THERE, {})


@pytest.mark.parametrize("address", ["http://127.0.0.1:8750", "http://localhost:8750", "http://[::1]:8750"])
def test_this_machine_needs_none(address: str) -> None:
    """A host on this machine may have no keys, and never gets that of another."""
    assert read_team_address(address, {}).key is None
    assert read_team_address(address, {"DOVETAIL_TEAM_KEY": f"{THERE} secret"}).key is None


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("host.example.org", "is no address"),
        ("ftp://host.example.org", "is no address"),
        ("https://", "is no address"),
        ("https://host.example.org:x", "is no address"),
        ("https://alice:secret@host.example.org", "holds more than a place"),
        ("https://host.example.org?key=secret", "holds more than a place"),
        ("http://host.example.org", "in clear text"),
    ],
)
def test_an_address_that_cannot_be_used(address: str, message: str) -> None:
    """Each mistake is one sentence that repeats no key."""
    with pytest.raises(TeamAddressError, match=message) as raised:
        read_team_address(address, {"DOVETAIL_TEAM_KEY": f"{address} secret"})
    assert "secret" not in str(raised.value)


def test_a_key_without_its_address() -> None:
    """A key by itself is refused, because nobody knows where it may be sent."""
    with pytest.raises(TeamAddressError, match="which host its key is for"):
        read_team_address(THERE, {"DOVETAIL_TEAM_KEY": "secret"})
