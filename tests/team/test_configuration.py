"""The configuration: what it may say, and one sentence for each mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dovetail.team.configuration import TeamConfiguration, TeamConfigurationError, read_configuration
from dovetail.team.keys import KeyHolder

if TYPE_CHECKING:
    from pathlib import Path

DIGEST = "0" * 64
KEY = f'[[keys]]\nname = "alice"\nsha256 = "{DIGEST}"\n'
OPEN = 'address = "0.0.0.0"\n'


def read(folder: Path, text: str) -> TeamConfiguration:
    """Return what a file with a text says."""
    path = folder / "team.toml"
    path.write_text(text, "utf-8")
    return read_configuration(path)


def test_an_empty_file(tmp_path: Path) -> None:
    """Everything has a default: the embedded model, for this machine alone."""
    found = read(tmp_path, "")

    assert found == TeamConfiguration()
    assert found.is_loopback


def test_everything(tmp_path: Path) -> None:
    """Each name is read; files are beside the configuration."""
    for name in ("cert.pem", "key.pem"):
        (tmp_path / name).touch()
    found = read(
        tmp_path,
        OPEN + 'port = 1\nmodel = "m"\nreplicas = 2\nmost_waiting = 3\nmost_connections = 4\nmost_kilobytes = 5\n'
        'most_tokens = 6\nmost_seconds = 7\ncertificate = "cert.pem"\ncertificate_key = "key.pem"\naudit = "/a/b"\n'
        + KEY + "most_at_once = 6\nper_minute = 7\n",
    )  # fmt: skip

    assert found == TeamConfiguration(
        "0.0.0.0", 1, "m", 2, 3, 4, 5, 6, 7, tmp_path / "cert.pem", tmp_path / "key.pem", False, found.audit,
        (KeyHolder("alice", DIGEST, 6, 7),),
    )  # fmt: skip
    assert str(found.audit) == "/a/b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = ", r"team.toml is no TOML \(.+\): mend that place\."),
        ("prot = 1", r"`prot` is not known: write `port`\."),
        ("colour = 1", r"`colour` is not known: write one of address, port, "),
        ("port = 70000", r"`port` is 70000: write a whole number from 0 to 65,535\."),
        ("replicas = true", r"`replicas` is True: write a whole number from 1 to 64\."),
        ('model = " "', r"`model` is ' ': write a text\."),
        ("behind_proxy = 1", r"`behind_proxy` is 1: write true or false\."),
        ("keys = 1", r"`keys` is 1: write tables, each headed \[\[keys\]\]\."),
        ("keys = [1]", r"key 1 is no table: head it \[\[keys\]\]\."),
        (
            '[[keys]]\nname = "a"',
            r"key 1: `sha256` is missing: write the 64 digits that `dovetail host",
        ),
        ('[[keys]]\nname = "a b"', r"key 1: `name` is 'a b': write a name of letters, digits, dots and hyphens\."),
        (KEY + KEY, r"two keys have the name `alice`: give each its own\."),
        (KEY + "per_minutes = 1", r"key 1: `per_minutes` is not known: write `per_minute`\."),
        ('certificate = "c"', r"`certificate_key` is missing: name both files, or neither\."),
        ('certificate = "c"\ncertificate_key = "k"', r"there is no file .*c: let `certificate` name one"),
        (OPEN, r"others reach 0\.0\.0\.0, but there are no keys: make one with"),
        (OPEN + KEY, r"texts would go to 0\.0\.0\.0 in clear: name `certificate` and"),
    ],
)
def test_a_mistake_is_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    """A mistake is told with its place and its remedy, in one line."""
    with pytest.raises(TeamConfigurationError, match=said) as found:
        read(tmp_path, text)

    assert "\n" not in str(found.value)
    assert str(found.value).endswith(".")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file and one in another encoding are told."""
    with pytest.raises(TeamConfigurationError, match=r"cannot be read \(No such file or directory\): name"):
        read_configuration(tmp_path / "team.toml")
    (tmp_path / "team.toml").write_bytes(b"\xff")
    with pytest.raises(TeamConfigurationError, match="no text in UTF-8"):
        read_configuration(tmp_path / "team.toml")


def test_a_proxy_may_speak_tls(tmp_path: Path) -> None:
    """Beyond this machine, keys and a word about TLS are enough."""
    assert not read(tmp_path, OPEN + "behind_proxy = true\n" + KEY).is_loopback
