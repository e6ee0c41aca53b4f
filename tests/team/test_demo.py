"""The host as people start it, with the embedded model: the lines of the page, and the end of a replica."""

from __future__ import annotations

import os
import shutil
import signal
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.team.demo import Answered, ask, host, lines

from dovetail.team.doors.window_request import Form

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module", name="answers")
def _answers() -> Iterator[list[Answered]]:
    """Return the answers to the page's lines, of a host whose replica is killed in the middle."""
    if shutil.which("curl") is None:
        pytest.skip("the page's lines need curl")
    with host() as (address, process):
        answers = []
        for number, line in enumerate(lines()):
            answers.append(ask(line, address))
            if number == 1:
                (replica,) = psutil.Process(process.pid).children()
                os.kill(replica.pid, signal.SIGKILL)
        yield answers


def test_every_line_of_the_page_gets_a_text_that_fits(answers: list[Answered]) -> None:
    """In each door's form a text comes back, also after a replica has died, and each makes a program of its window."""
    assert len(answers) >= 5
    for answered in answers:
        assert answered.text
        answered.check()


def test_the_lines_use_every_door(answers: list[Answered]) -> None:
    """The page shows every form of an answer, and a stream."""
    assert {answered.asked.form for answered in answers} == set(Form)
    assert any(answered.asked.stream for answered in answers)
