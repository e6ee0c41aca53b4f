"""The texts of a host: those of a process of one's own, whatever other windows ask meanwhile."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tests.completer.host.served import MINE, PATIENCE, Served
from tests.model.real_places import cuts

from dovetail.completer.cancel_token import CancelToken
from dovetail.completer.local import LocalCompleter
from dovetail.completer.snapshot import Snapshot
from dovetail.model.hosting import load_model

if TYPE_CHECKING:
    from collections.abc import Callable

KEYS = 2
"""So many completions at a place; after each its first character is typed."""


def typed(
    complete: Callable[[Snapshot, int], tuple[str, ...]], name: str, left: str, right: str
) -> list[tuple[str, ...]]:
    """Return what is offered at a place, and while the beginning of it is typed."""
    offered = []
    for version in range(KEYS):
        document = Snapshot(f"file:///{name}.py", "python", version, left + right)
        texts = complete(document, len(left))
        offered.append(texts)
        left += texts[0][:1] if texts else "x"
    return offered


def test_windows_have_the_texts_of_a_process_of_their_own() -> None:
    """Three windows type at once, in files of the same names; each sees what it would see alone."""
    places = cuts()[:3]
    alone = LocalCompleter()
    assert alone.load(MINE).complaint is None

    def by_itself(document: Snapshot, offset: int) -> tuple[str, ...]:
        return alone.complete(document, offset, CancelToken()).texts

    expected = [typed(by_itself, str(index), *place) for index, place in enumerate(places)]
    assert sum(bool(texts) for offered in expected for texts in offered) > len(places)

    served = Served(load_model)
    seen: dict[int, list[list[tuple[str, ...]]]] = {}
    windows = [served.window(MINE) for _ in range(3)]

    def type_all(number: int) -> None:
        window = windows[number]

        def shared(document: Snapshot, offset: int) -> tuple[str, ...]:
            return window.complete(document, offset, CancelToken()).texts

        # Each begins elsewhere, so that different places of one file name are asked for at one time.
        order = [(index + number) % len(places) for index in range(len(places))]
        found = {index: typed(shared, str(index), *places[index]) for index in order}
        seen[number] = [found[index] for index in range(len(places))]

    threads = [threading.Thread(target=type_all, args=(number,), daemon=True) for number in range(len(windows))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(4 * PATIENCE)
    served.close()

    assert [seen[number] for number in range(3)] == [expected] * 3
