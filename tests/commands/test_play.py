"""`dovetail play`: what it takes, what it prints, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from typing import TYPE_CHECKING

import pytest

from dovetail.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 120.0


@pytest.mark.skipif(os.name == "nt", reason="Windows sends the interrupt key to a whole console")
def test_it_serves_until_the_interrupt_key(tmp_path: Path) -> None:
    """The address that it prints leads to the page, and the interrupt key ends it in order, without a traceback."""
    path = tmp_path / "x.json"
    path.write_text("[1, ]")
    # A process inherits an ignored signal, and a run of the tests in the background ignores this one.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "dovetail", "play", "--no-browser", f"{path}:1:5"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert process.stdout.readline() == "The interrupt key (Ctrl-C) ends it.\n"
            address = re.fullmatch(r"The page is at (http://127\.0\.0\.1:\d+/[\w-]+/)\n", said)
            assert address is not None
            with urllib.request.urlopen(f"{address[1]}languages", timeout=PATIENCE) as answer:
                assert b'"start": {"language": "json", "left": "[1, ", "right": "]"}' in answer.read()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()

    assert (process.returncode, out, err) == (0, "\n", "")


def test_the_browser_is_opened(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without `--no-browser` the page is opened at the address that is printed."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("dovetail.play.page_server.PageServer.serve_forever", lambda _: None)

    assert main(["play"]) == 0

    assert f"The page is at {opened[0]}\n" in capsys.readouterr().out


@pytest.mark.parametrize(("place", "left"), [("", ""), (":1:3", "[1")])
def test_a_file_without_a_place_is_shown_from_its_beginning(
    place: str, left: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A place puts the cursor elsewhere."""
    path, shown = tmp_path / "x.json", []
    path.write_text("[1]")
    monkeypatch.setattr("webbrowser.open", lambda _: True)
    monkeypatch.setattr(
        "dovetail.play.page_server.PageServer.serve_forever",
        lambda server: shown.append(server.playground.languages()["start"]),
    )

    assert main(["play", f"{path}{place}"]) == 0
    assert shown == [{"language": "json", "left": left, "right": "[1]".removeprefix(left)}]


def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A grammar that is no file, a place that is none, and a port in use are one sentence each, with exit code 2."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for arguments, sentence in [
            (["--grammar", f"{tmp_path}/none.lark"], "this is no grammar; name a file that ends in .lark."),
            (["--grammar", __file__], "this is no grammar; name a file that ends in .lark."),
            ([f"{tmp_path}/none.py:1:1"], "the file cannot be read"),
            (["--port", str(port)], f"The port {port} cannot be used"),
        ]:
            assert main(["play", "--no-browser", *arguments]) == 2
            said = capsys.readouterr().err
            assert sentence in said
            assert said.count("\n") == 1


def test_a_port_is_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    """Another value is a mistake of usage."""
    with pytest.raises(SystemExit) as ended:
        main(["play", "--port", "70000"])

    assert ended.value.code == 2
    assert "a port is a number from 0 to 65535, not 70000" in capsys.readouterr().err
