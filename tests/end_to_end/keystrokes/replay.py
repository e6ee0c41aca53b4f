"""A typist at work: the replay, and the figures of it."""

from __future__ import annotations

import asyncio
import heapq
import re
import shlex
import sys
import textwrap
import time
import urllib.request
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest_lsp
from lsprotocol import types
from prometheus_client.parser import text_string_to_metric_families
from tests.benchmarks.series import quantile
from tests.end_to_end.document import Document
from tests.end_to_end.keystrokes.editor import Editor
from tests.end_to_end.keystrokes.typist import strokes

import dovetail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.end_to_end.keystrokes.editor import Asked
    from tests.end_to_end.keystrokes.typist import Stroke

FILES = [Path(str(module.__file__)) for module in (heapq, shlex, textwrap)]
"""Real programs, wherever there is Python."""

TARGET = f"3.{sys.version_info.minor}"

_PATIENCE = 600.0

_OFFERED = re.compile(r"automatic request in (\S+) at (\d+): offered after (\d+) ms, (\d+) of them the model's")

_TAKEN = 3
"""Characters of a ghost text that are typed before the rest is taken with the key."""


@dataclass
class Replay:
    """The events of a replay."""

    asked: list[Asked]
    faults: list[str]
    keys: int
    seconds: float
    counts: dict[str, float]
    """The server's counts, by the names of its metrics."""

    @property
    def offered(self) -> list[Asked]:
        """The requests that were answered with a text."""
        return [asked for asked in self.asked if asked.outcome == "offered"]

    def overheads(self) -> list[float]:
        """Return the milliseconds from a key to its ghost text but for the model's own, in ascending order."""
        return sorted(
            1000 * (asked.answered - asked.sent) - asked.model
            for asked in self.offered
            if asked.newest and asked.answered is not None
        )

    def figures(self) -> dict[str, Any]:
        """Return the record of it."""
        overheads = self.overheads()
        model = sorted(asked.model for asked in self.offered if asked.model)
        inside = sorted(asked.inside - asked.model for asked in self.offered)
        outcomes = [asked.outcome for asked in self.asked]
        decoded, recalled = (self.counts[f"dovetail_completions_{kind}_total"] for kind in ("decoded", "recalled"))
        return {
            "keystrokes": self.keys,
            "minutes": round(self.seconds / 60, 1),
            "requests": len(self.asked),
            "answered with a text": outcomes.count("offered"),
            "answered with nothing": outcomes.count("nothing"),
            "cancelled": outcomes.count("cancelled"),
            "errors, stale texts and other faults": len(self.faults),
            "ghost texts shown": len(overheads),
            "ms from key to ghost text but for the model's, median": round(quantile(overheads, 0.5)),
            "the same, p95": round(quantile(overheads, 0.95)),
            "the same, p99": round(quantile(overheads, 0.99)),
            "the same, largest": round(overheads[-1]),
            "the same within the server, median": round(quantile(inside, 0.5)),
            "the same within the server, p95": round(quantile(inside, 0.95)),
            "of them at most 150 ms": f"{sum(each <= 150 for each in overheads) / len(overheads):.1%}",
            "ms of the model where it was asked, median": round(quantile(model, 0.5)) if model else 0,
            "requests that reached the model": round(decoded),
            "answered from memory, typed ahead": round(recalled),
            "spared by the pause between keys": round(len(self.asked) - decoded - recalled),
            "ghost texts accepted": round(self.counts.get("dovetail_completions_accepted_total|all", 0)),
            "most requests in progress": round(self.counts["most in progress"]),
        }

    def misfits(self) -> list[str]:
        """Return the ghost texts after which the text that the engine keeps is no program: there should be none."""
        language = dovetail.load_language("python", target=TARGET)
        found = []
        for asked in self.offered:
            quotient = language.quotient(asked.text[: asked.offset], asked.text[asked.offset :])
            state = quotient.start.advance(asked.insert)
            if state is None or not state.accepting:
                found.append(f"{asked.insert!r} at {asked.offset} of {asked.uri}")
        return found


async def replay(count: int, folder: Path, *, pace: float = 1.0, seed: int = 1, patience: int | None = None) -> Replay:
    """Type so many keys against a server of its own and return what happened; `pace` shortens all pauses.

    With `patience`, the typist waits for the answers after so many keys each time, however long they take: then what
    happens does not depend on what else the machine does.
    """
    log = folder / "log"
    client = pytest_lsp.make_test_lsp_client()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "dovetail", "serve", "--tcp", "0", "--metrics", "0", "--log-file", str(log),
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    metrics, port = [await asyncio.wait_for(process.stderr.readline(), _PATIENCE) for _ in range(2)]
    await client.start_tcp("127.0.0.1", int(port.decode().rpartition(":")[2]))
    address = metrics.decode().split()[-1]
    options: dict[str, Any] = {"python": {"target_version": TARGET}}
    if patience is not None:
        options |= {"time_limit": 60, "max_tokens": 12}
    await client.initialize_session(
        types.InitializeParams(capabilities=types.ClientCapabilities(), initialization_options=options)
    )
    editors = [
        Editor(client, Document(client, path.read_text("utf-8"), name=path.name), cancels=number % 2 == 0)
        for number, path in enumerate(FILES)
    ]
    # The first answer waits for the model; nobody counts it.
    warm = Document(client, "x = \n", name="warm.py")
    await asyncio.wait_for(warm.ask(4), _PATIENCE)
    begun = time.perf_counter()
    keys, rests, last, most = 0, 0, 0, 0.0
    for stroke in strokes([editor.document.text for editor in editors], seed):
        await asyncio.sleep(stroke.pause * pace)
        if patience is not None and keys // patience > rests:
            rests = keys // patience
            await asyncio.gather(*(editor.settle() for editor in editors))
            keys += await _do(replace(stroke, kind="follow"), editors[last], pace)
        last = stroke.file
        keys += await _do(stroke, editors[stroke.file], pace)
        if keys % 20 == 0:
            most = max(most, (await asyncio.to_thread(counted, address))["dovetail_requests_in_progress"])
        if keys >= count:
            break
    for editor in editors:
        await editor.settle()
    seconds = time.perf_counter() - begun
    counts = await asyncio.to_thread(counted, address)
    await client.shutdown_session()
    code = await asyncio.wait_for(process.wait(), _PATIENCE)
    await client.stop()
    faults = [fault for editor in editors for fault in editor.faults]
    faults += [f"the exit code is {code}"] if code else []
    faults += [f"the user was shown: {message.message}" for message in client.messages]
    lines = log.read_text("utf-8").splitlines()
    faults += [line for line in lines if " ERROR " in line or " WARNING " in line]
    # Address and place of a request → the times of its answers with a text, in their order.
    times: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for line in lines:
        if match := _OFFERED.search(line):
            times.setdefault((match[1], int(match[2])), []).append((float(match[3]), float(match[4])))
    asked = [asked for editor in editors for asked in editor.asked]
    for request in asked:
        known = times.get((request.uri, request.offset))
        if request.outcome == "offered" and known:
            request.inside, request.model = known.pop(0)
        elif request.outcome == "offered":
            faults.append(f"the log does not know the answer at {request.offset} of {request.uri}")
    return Replay(
        asked,
        faults,
        keys,
        seconds,
        {**counts, "most in progress": most},
    )


async def _do(stroke: Stroke, editor: Editor, pace: float) -> int:
    """Do what a stroke says, and return how many keys that were."""
    if stroke.kind == "begin":
        editor.begin(stroke.text)
        return 0
    if stroke.kind == "type":
        editor.type(stroke.text)
        return 1
    if stroke.kind == "erase":
        editor.erase()
        return 1
    if editor.ghost is None or editor.ghost.offset != editor.caret:
        return 0
    taken = ""
    while editor.ghost is not None and len(taken) < _TAKEN and len(editor.ghost.text) > 1:
        taken += editor.type_into_ghost()
        editor.tell_part(len(taken))
        await asyncio.sleep(0.15 * pace)
    keys = len(taken)
    if editor.ghost is not None:
        taken += await editor.accept()
        keys += 1
        await asyncio.sleep(0.5 * pace)
    editor.erase(len(taken))
    return keys + 1


def counted(address: str) -> dict[str, float]:
    """Return the numbers of a server by their names with labels."""
    with urllib.request.urlopen(address, timeout=_PATIENCE) as answer:
        families = list(text_string_to_metric_families(answer.read().decode()))
    return {
        sample.name + "".join(f"|{value}" for _, value in sorted(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def table(figures: dict[str, Any], heading: Sequence[str]) -> str:
    """Return figures as Markdown."""
    rows = "\n".join(f"| {name} | {value:,} |" if isinstance(value, int) else f"| {name} | {value} |"
                     for name, value in figures.items())  # fmt: skip
    return "\n".join([*heading, "", "| what | |", "| --- | --- |", rows, ""])
