"""Two real Neovims that share one process with the model."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from tests.end_to_end.neovim.gap import KEYS, LEFT, RIGHT, at_the_gap

from dovetail.completer.host.finder import HostFinder

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end_to_end.neovim.editor import Editor

    from dovetail.completer.host.finder import HostStatus

SHARED = KEYS.replace("max_tokens", "host = { shared = true, idle = 0 }, max_tokens")


def host() -> HostStatus | None:
    """Return the one host that runs, or None."""
    found = [status for _, status in HostFinder().status() if status is not None]
    assert len(found) <= 1
    return found[0] if found else None


def has_windows(count: int) -> bool:
    """Return whether one host runs and has so many windows."""
    status = host()
    return status is not None and status.windows == count


def test_two_editors_have_one_model(start: Callable[..., Editor]) -> None:
    """Both show the same text from one process, which outlives the first that goes, and ends with the last."""
    first = start(SHARED)
    at_the_gap(first)
    second = start(SHARED)
    at_the_gap(second)

    second.wait(lambda: has_windows(2))
    assert first.ghost() == second.ghost() != ""
    first.close()
    second.wait(lambda: has_windows(1))
    second.keys("<Tab>")
    second.wait(lambda: second.text() not in (LEFT + RIGHT, ""))
    second.keys("<Esc>oprint(")
    second.wait(second.ghost)
    assert second.quiet()
    second.close()
    while host() is not None:
        pass


def test_editors_go_on_after_the_shared_process_was_killed(start: Callable[..., Editor]) -> None:
    """Each loads the model again from one new process, and no text is lost."""
    editors = [start(SHARED), start(SHARED)]
    for editor in editors:
        at_the_gap(editor)
    before = host()
    assert before is not None

    os.kill(before.process, signal.SIGKILL)
    for editor in editors:
        editor.wait(lambda: has_windows(2))
        editor.keys("<Esc>A")
        editor.wait(editor.ghost)

    after = host()
    assert after is not None
    assert after.process != before.process
    assert [editor.text() for editor in editors] == [LEFT + RIGHT] * 2
