"""The encoding of a file."""

from __future__ import annotations

import io
import tokenize
from typing import TYPE_CHECKING

import pytest

from dovetail.__main__ import main
from dovetail.commands.encoding import decode
from dovetail.commands.error import CommandError

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "x = 'ä'\n"


@pytest.mark.parametrize(
    "head",
    [
        "",
        "# -*- coding: latin-1 -*-\n",
        "#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\n",
        "\n# coding=iso-8859-15\n",
        "x = 1\n\n# coding: latin-1\n",
        "\f # coding:utf8\n",
        "'coding: latin-1'\n",
    ],
)
def test_as_the_tokenizer_reads(head: str) -> None:
    """A file that names its encoding is read as Python's own tokenizer reads it."""
    data = (head + "x = 1\n").encode()
    expected, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    data = (head + TEXT).encode(expected)

    assert decode(data, "a.py") == head + TEXT


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark(encoding: str) -> None:
    """A byte order mark names the encoding in every language, and is no part of the text."""
    assert decode(TEXT.encode(encoding), "a.json") == TEXT


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_wide_characters(encoding: str) -> None:
    """Python refuses a file of wide characters, so that is one sentence."""
    words = rf"a\.py: the file is {encoding.upper()}, which Python does not read; save it as UTF-8\."
    with pytest.raises(CommandError, match=words):
        decode(TEXT.encode(encoding), "a.py")


def test_other_languages_name_no_encoding() -> None:
    """A comment that names an encoding counts only in a language that says so."""
    with pytest.raises(CommandError, match=r"a\.json: the file is not UTF-8: byte 24 is 0xe4; save it as UTF-8\."):
        decode(b'// coding: latin-1\nx = "\xe4"', "a.json")


def test_null_characters_are_for_the_language_to_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lua has them in its texts; in Python each is a mistake with its place."""
    for name in ("a.lua", "a.py"):
        (tmp_path / name).write_bytes(b"x = 'a\0b'\n")

    assert main(["check", str(tmp_path / "a.lua")]) == 0
    assert main(["check", str(tmp_path / "a.py")]) == 1
    assert f"{tmp_path}/a.py:1:7: the character U+0000 cannot stand in a string\n" in capsys.readouterr().out


def test_an_unknown_encoding() -> None:
    """An encoding that is unknown here is one sentence."""
    with pytest.raises(CommandError, match=r"a\.py: the encoding 'klingon' is unknown; save the file as UTF-8\."):
        decode(b"# coding: klingon\n", "a.py")
