"""The cost of other files to a request, besides the model's own reading: the same keys with and without them.

A completer of each kind follows the same documents key by key. On the path of a request with other files are the
search for their parts, their way to the model's process, their n-grams, and the choice among members. The forward
passes of the model are taken out of both.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.benchmarks.series import Series

from dovetail.completer.local import LocalCompleter
from dovetail.completer.snapshot import Snapshot
from dovetail.completer.wire import from_line, from_plain, to_line, to_plain
from dovetail.decoding.cancellation import Never
from dovetail.decoding.repository import ProjectContext
from dovetail.model.array_pass import ArrayPass
from dovetail.model.device import use_one_thread
from dovetail.project.reader import WORKSPACE, OpenText, ProjectReader
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from dovetail.completer.answer import Answer
    from dovetail.model.sequence_context import SequencePart

FIRST, KEY = "first request in a document", "typed key"
WITH, WITHOUT = "with other files", "without"

_KEYS = 8
"""Keys that are typed at a place."""

_LONGEST = 30_000
"""Characters of a document."""


class _Passes:
    """The processor time of the model's forward passes, in milliseconds, while it is counted."""

    def __init__(self) -> None:
        self.series = Series()
        self._run: Callable[..., object] = ArrayPass.run

    def __enter__(self) -> _Passes:
        def run(arrays: ArrayPass, parts: Sequence[SequencePart]) -> object:
            return self.series.time(self._run, arrays, parts)

        setattr(ArrayPass, "run", run)  # noqa: B010 - mypy forbids to assign a method
        return self

    def __exit__(self, *_: object) -> None:
        setattr(ArrayPass, "run", self._run)  # noqa: B010 - mypy forbids to assign a method

    def taken(self) -> float:
        """Return what has passed since the last call."""
        taken = sum(self.series.durations)
        self.series.durations.clear()
        return taken


def measure(folder: Path, count: int, seed: int) -> dict[tuple[str, str], Series]:
    """Return what requests cost at so many places of a folder's files, without the passes, and what the passes cost.

    The keys are a kind and a way.
    """
    use_one_thread()
    project = ProjectReader()
    project.begin([str(folder)], WORKSPACE)
    project.scan()
    completers = {way: LocalCompleter() for way in (WITHOUT, WITH)}
    for completer in completers.values():
        completer.load(Settings())
    found = {(kind, way): Series() for kind in (FIRST, KEY) for way in completers}
    found |= {(f"{kind}, passes", way): Series() for kind in (FIRST, KEY) for way in completers}
    with _Passes() as passes:
        for number, (path, text, offset) in enumerate(_places(folder, count, seed)):
            uri = path.as_uri()
            project.update(OpenText(uri, "python", text[:offset]), anew=True)
            for key in range(_KEYS):
                left, right = text[: offset + key], text[text.index("\n", offset) :]
                document = Snapshot(uri, "python", key, left + right)
                ways = list(completers) if (number + key) % 2 else list(reversed(completers))
                for way in ways:
                    series = Series()
                    passes.taken()
                    series.time(_asked, completers[way], document, len(left), project if way == WITH else None)
                    model = passes.taken()
                    kind = KEY if key else FIRST
                    found[kind, way].durations.append(series.durations[0] - model)
                    found[f"{kind}, passes", way].durations.append(model)
            project.close(uri, edited=False)
            for completer in completers.values():
                completer.forget(uri)
    return found


def _asked(completer: LocalCompleter, document: Snapshot, offset: int, project: ProjectReader | None) -> Answer:
    around = None
    if project is not None:
        around = project.around(document.uri, document.text[:offset], document.text[offset:])
        around = from_plain(from_line(to_line({"project": to_plain(around)}))["project"], ProjectContext)
    return completer.complete(document, offset, Never(), project=around)


def _places(folder: Path, count: int, seed: int) -> Iterator[tuple[Path, str, int]]:
    """Yield files, their texts, and where a line of code begins that is long enough to be typed into."""
    chosen = Random(seed)
    files = sorted(path for path in folder.rglob("*.py") if path.stat().st_size <= _LONGEST)
    chosen.shuffle(files)
    for path in files:
        text = path.read_text("utf-8", errors="replace")
        lines, offset = [], 0
        for line in text.splitlines(keepends=True):
            code = line.strip()
            if "import" in text[:offset] and len(code) > _KEYS + 2 and code[0].isalpha() and line.endswith("\n"):
                lines.append(offset + len(line) - len(line.lstrip()))
            offset += len(line)
        if lines:
            yield path, text, chosen.choice(lines)
            count -= 1
        if not count:
            return
