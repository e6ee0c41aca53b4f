"""Stretches and tapes as tests want them: a text with marks around what is typed, and models that are functions."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from dovetail.evaluation.replay.editor import Cursor, Editor
from dovetail.evaluation.replay.paths import make_path
from dovetail.evaluation.replay.stretch import Stretch, StretchKind
from dovetail.evaluation.replay.tape import Suggestion, record
from dovetail.evaluation.replay.tokens import read_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.evaluation.replay.tape import TapeNode

Model = "Callable[[str, str], str]"


def marked(
    text: str, kind: StretchKind = StretchKind.BODY, pauses: tuple[int, ...] | None = None
) -> tuple[str, Stretch]:
    """Return a file and the stretch between its two marks `|`; without `pauses` the user rests before each key."""
    before, typed, after = text.split("|")
    begin, end = len(before), len(before + typed)
    whole = before + typed + after
    tokens = read_tokens(whole)
    pairs = [(a - begin, b - begin) for a, b in tokens.pairs.items() if begin <= a and b < end]
    rests = tuple(range(end - begin)) if pauses is None else pauses
    return whole, Stretch(kind, begin, end, tokens.unit, tuple(sorted(pairs)), rests)


def paths(text: str, seed: int = 0, most: int = 200) -> tuple[Stretch, ...]:
    """Return the path of a file."""
    return make_path(Random(seed), text, most)


def states(text: str, stretch: Stretch) -> list[tuple[str, str, int]]:
    """Return (left, right, keys so far) of every state without completions, the first and the last included."""
    editor, cursor, keys = Editor(text, stretch), Cursor(), 0
    found = [(*editor.document(cursor), keys)]
    while not editor.finished(cursor):
        action = editor.act(cursor)
        cursor, keys = action.cursor, keys + action.keys
        found.append((*editor.document(cursor), keys))
    return found


def tape(
    text: str,
    stretch: Stretch,
    model: Callable[[str, str], str],
    *,
    confidence: Callable[[str], float | None] = lambda text: None,
    all_thresholds: bool = False,
    least: int = 1,
    asked: list[tuple[str, str]] | None = None,
) -> tuple[TapeNode, ...]:
    """Return the tape of a stretch with a model; what it is asked is entered in `asked`."""

    def ask(left: str, right: str) -> Suggestion:
        if asked is not None:
            asked.append((left, right))
        found = model(left, right)
        return Suggestion(found, confidence(found), "it ended", 1, 1.0)

    return record(text, stretch, ask, lambda left, right, offset: "anywhere", least, all_thresholds=all_thresholds)


def without_pairs(stretch: Stretch) -> Stretch:
    """Return a stretch for an editor that closes nothing."""
    return replace(stretch, pairs=())


def knows(text: str, stretch: Stretch) -> Callable[[str, str], str]:
    """Return a model that writes all of the text to come, up to what stands to the right of the cursor."""

    def model(left: str, right: str) -> str:
        if not text.startswith(left):
            return ""
        rest = text[len(left) : stretch.end]
        closers = right.removesuffix(text[stretch.end :]) if stretch.kind is not StretchKind.APPEND else right
        end = rest.find(closers) if closers else len(rest)
        return rest[:end] if end >= 0 else ""

    return model
