"""A host that runs in a thread of the test, over replicas that are scripted unless a test wants real ones."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.team.scripted_process import ScriptedProcess

from dovetail.team.serving import serve_team

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dovetail.team.configuration import TeamConfiguration
    from dovetail.team.listener import TeamListener
    from dovetail.team.replica import Begin


@contextmanager
def served(
    configuration: TeamConfiguration,
    begin: Begin = ScriptedProcess,
    told: Callable[[str], None] = lambda _: None,
    read: Callable[[], TeamConfiguration] | None = None,
    renewing: list[Callable[[], None]] | None = None,
) -> Iterator[str]:
    """Serve with a configuration, whose port should be 0, and return the address; the host ends at the end.

    `told`, `read`: as for `serve_team`. `renewing` gets the function that has the host renewed.
    """
    listeners: list[TeamListener] = []
    raised: list[BaseException] = []
    begun = threading.Event()

    def take(listener: TeamListener, renew: Callable[[], None]) -> None:
        listeners.append(listener)
        if renewing is not None:
            renewing.append(renew)
        begun.set()

    def run() -> None:
        try:
            asyncio.run(serve_team(configuration, told, begin, take, read))
        except BaseException as error:
            raised.append(error)
        finally:
            begun.set()

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.wait(600)
    try:
        if raised:
            raise raised[0]
        yield listeners[0].address
    finally:
        for listener in listeners:
            listener.stop()
        thread.join(120)
    assert not thread.is_alive()
    assert not raised, raised
