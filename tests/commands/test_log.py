"""The log: where it goes, and what never gets into it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import pytest

from dovetail.commands.error import CommandError
from dovetail.commands.log import begin_log

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRET = "the user's own text"


@pytest.fixture(autouse=True)
def _root() -> Iterator[None]:
    """Leave the log of the tests as it was."""
    root, pygls = logging.getLogger(), logging.getLogger("pygls")
    before = root.handlers, root.level, pygls.level
    root.handlers = []
    yield
    for handler in root.handlers:
        handler.close()
    root.handlers = before[0]
    root.setLevel(before[1])
    pygls.setLevel(before[2])


def fail() -> None:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise ValueError(SECRET) from error


def log_everything() -> None:
    """Log in all the ways in which a text could get into a log."""
    logging.getLogger("pygls.protocol").info("Sending data: %s", SECRET)
    for name in ("pygls.protocol", "asyncio", "dovetail"):
        try:
            fail()
        except ValueError:
            logging.getLogger(name).exception("It failed%s", f": {SECRET}" if name != "dovetail" else ".")


@pytest.mark.parametrize("level", [None, "info", "warning", "error"])
def test_above_debug_no_text_is_written(tmp_path: Path, level: str | None) -> None:
    """Messages of libraries and of exceptions are left out; where it happened is said."""
    path = tmp_path / "log"
    begin_log(level, path)

    log_everything()

    written = path.read_text(encoding="utf-8")
    assert SECRET not in written
    assert written.count("in fail") == 6
    assert written.count("KeyError\n") == written.count("ValueError\n") == 3
    assert "It failed." in written


def test_debug_writes_everything(tmp_path: Path) -> None:
    """The messages themselves are in the log if the user asks for them."""
    path = tmp_path / "log"
    begin_log("debug", path)

    log_everything()

    assert f"Sending data: {SECRET}" in path.read_text(encoding="utf-8")


def test_what_asyncio_says_of_a_task_is_left_out(tmp_path: Path) -> None:
    """An exception that nobody took is logged with its place, without its message."""
    path = tmp_path / "log"
    begin_log("info", path)

    async def session() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(fail)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    asyncio.run(session())

    written = path.read_text(encoding="utf-8")
    assert "outside of any request" in written
    assert "in fail" in written
    assert SECRET not in written


def test_stderr_is_quiet_below_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    """Editors show what is written there as errors."""
    begin_log(None, None)

    logging.getLogger("dovetail").info("all is well")
    logging.getLogger("pygls").warning("a cancellation came late")
    logging.getLogger("dovetail").warning("something is wrong")

    assert capsys.readouterr().err == "dovetail: something is wrong\n"


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """One sentence says which, and what to do."""
    path = tmp_path / "missing" / "log"

    with pytest.raises(CommandError) as raised:
        begin_log(None, path)

    assert str(path) in str(raised.value)
    assert str(raised.value).endswith("name another.")


def test_the_file_is_gone_on_with(tmp_path: Path) -> None:
    """Older lines of the log file stay."""
    path = tmp_path / "log"
    path.write_text("before\n", encoding="utf-8")
    begin_log("info", path)

    logging.getLogger("dovetail").info("after")

    lines = path.read_text(encoding="utf-8").splitlines()
    assert (lines[0], len(lines)) == ("before", 2)
