"""The simulated user, with models that are functions: what is shown, taken, and charged."""

from __future__ import annotations

from random import Random

import pytest
from tests.evaluation.replay.typing_of import knows, marked, paths, tape
from tests.fuzz.sources import LIBRARY

from dovetail.evaluation.replay.measures import MEASURES, Tally, tally, total
from dovetail.evaluation.replay.stretch import Stretch, StretchKind
from dovetail.evaluation.replay.walk import joined, walk

LOOP = "def total(prices):|\n    result = 0\n    for price in prices:\n        result += price\n    return result|\n"


def counts(nodes: tuple) -> Tally:  # type: ignore[type-arg]
    return tally(walk(nodes), walk(nodes, speaking=False))


def test_a_perfect_model_saves_nearly_all_keys() -> None:
    """One acceptance writes the whole body."""
    text, stretch = marked(LOOP, pauses=(5,))
    nodes = tape(text, stretch, knows(text, stretch))
    done = walk(nodes)

    assert (done.keys, done.acceptances, len(done.shown)) == (1, 1, 1)
    assert done.accepted == len("result = 0\n    for price in prices:\n        result += price\n    return result")
    assert done.characters == stretch.end - stretch.begin
    measured = {name: of(counts(nodes)) for name, of in MEASURES.items()}
    assert measured["acceptance"] == measured["accepted as a whole"] == 1
    assert measured["keys saved"] == pytest.approx(1 - 2 / 63)
    assert measured["wrong characters shown per 100 characters"] == 0


def test_a_model_that_is_always_wrong_is_charged() -> None:
    """Nothing is accepted, every key is typed, and each text costs its reading."""
    text, stretch = marked(LOOP, pauses=(5, 9, 30))
    nodes = tape(text, stretch, lambda left, right: "?!")
    found = counts(nodes)

    assert (found.shown, found.whole, found.part, found.accepted) == (3, 0, 0, 0)
    assert found.keys == found.plain_keys == 63
    assert found.effort == 63 + 3
    assert found.wrong_characters == 6
    assert MEASURES["effort saved"](found) == pytest.approx(-3 / 63)
    assert MEASURES["acceptance"](found) == 0


def test_a_silent_model_changes_nothing() -> None:
    """Without texts there is nothing to accept or to read."""
    text, stretch = marked(LOOP)
    found = counts(tape(text, stretch, lambda left, right: ""))

    assert (found.shown, found.keys, found.effort) == (0, found.plain_keys, found.plain_keys)


def test_words_are_taken_of_a_text_that_is_right_at_first() -> None:
    """A part costs one key and one for each word; its text is not shown again, and not read in vain."""
    text, stretch = marked("|self.name = value|\n", pauses=(0, 5, 12))
    nodes = tape(text, stretch, lambda left, right: "self.name = None" if not left else "")
    done = walk(nodes)

    [shown] = done.shown
    assert shown.look.matched == 12
    assert shown.look.taken is not None
    assert (shown.look.taken.whole, shown.look.taken.characters) == (False, 11)
    assert (done.acceptances, done.accepted, done.keys) == (5, 11, 6)
    assert not shown.wrong
    assert counts(nodes).wrong_characters == 4


def test_lines_are_taken_of_a_text_that_is_right_at_first() -> None:
    """Whole lines cost two keys, so they are taken before words are."""
    text, stretch = marked("|a = f(x)\nb = 1|\n", pauses=(0,))
    nodes = tape(text, stretch, lambda left, right: "a = f(x)\nb = 2" if not left else "")
    [shown] = walk(nodes).shown

    assert shown.look.taken is not None
    assert (shown.look.taken.keys, shown.look.taken.characters) == (2, 8)


def test_little_is_not_worth_a_part() -> None:
    """The user types on if a part would save less than two keys."""
    text, stretch = marked("|abc = 1|\n", pauses=(0,))

    [shown] = walk(tape(text, stretch, lambda left, right: "abc(" if not left else "")).shown

    assert shown.look.matched == 3
    assert shown.wrong


def test_a_text_that_is_typed_into_is_shown_once() -> None:
    """While the keys are those of the text, the model is not asked; after another key it is."""
    text, stretch = marked("|abcdef = 1|\n")
    asked: list[tuple[str, str]] = []
    nodes = tape(text, stretch, lambda left, right: "x(1)" if left else "abc(", asked=asked, least=2)

    done = walk(nodes)

    # `abc(` stays until only one character of it is left; then each place has a text of its own.
    assert [shown.node.place for shown in done.shown] == [0, 3, 4, 5, 6, 7, 8, 9]
    assert [len(left) for left, _ in asked] == [0, 3, 4, 5, 6, 7, 8, 9]


def test_a_text_goes_when_the_editor_closes_a_bracket() -> None:
    """The rest is asked for again, because the text to the right has changed."""
    text, stretch = marked("|f(a)|\n", pauses=(0, 2))
    asked: list[tuple[str, str]] = []
    tape(text, stretch, lambda left, right: "f(b)", asked=asked)

    assert asked == [("", "\n"), ("f(", ")\n")]


def test_nothing_that_is_there_is_accepted_again() -> None:
    """A text that writes the closer to the right once more is right only up to it."""
    text, stretch = marked("|f(abcdefg)|\n", pauses=(2,))
    nodes = tape(text, stretch, lambda left, right: "abcdefg)" if left == "f(" else "")
    [shown] = walk(nodes).shown

    assert shown.look.taken is not None
    assert (shown.look.taken.whole, shown.look.taken.characters, shown.look.matched) == (False, 7, 7)


def test_what_is_accepted_behind_the_end_does_not_count() -> None:
    """An appended stretch goes on in the file, and only its own characters are counted."""
    text, stretch = marked("|ab|cd\n", StretchKind.APPEND, pauses=(1,))
    done = walk(tape(text, stretch, lambda left, right: "bcd"))

    assert (done.keys, done.accepted, done.characters) == (1, 1, 2)
    assert done.shown[0].look.taken is not None
    assert done.shown[0].look.taken.whole


def test_no_text_is_right_where_blanks_have_to_go() -> None:
    """After an indentation that the file does not have, everything is wrong, and it is read in vain."""
    text, stretch = marked("|if a:\n    b()\nc|\n", pauses=(14,))
    nodes = tape(text, stretch, lambda left, right: "c")
    done = walk(nodes)

    assert [(shown.wrong, shown.node.place) for shown in done.shown] == [(True, 14), (True, 14)]


def sources() -> list[tuple[str, Stretch]]:
    texts = [(LIBRARY / name).read_text(encoding="utf-8") for name in ("queue.py", "textwrap.py", "json/encoder.py")]
    return [(text, stretch) for text in texts for seed in range(6) for stretch in paths(text, seed)]


def a_model(text: str, stretch: Stretch, seed: int):  # type: ignore[no-untyped-def]
    """Return a model that is right for some characters, and its confidence, both by chance."""
    right = knows(text, stretch)

    def model(left: str, behind: str) -> str:
        random = Random(f"{seed} {len(left)} {behind[:4]}")
        known = right(left, behind)[: random.randrange(1, 40)]
        return known + random.choice(["", "", "?", "\n    ?? x", " = y"])

    return model


def test_characters_are_typed_inserted_or_accepted() -> None:
    """With any model and any threshold the three counts sum to the text, and no node comes twice."""
    for text, stretch in sources():
        nodes = tape(
            text, stretch, a_model(text, stretch, 1), confidence=lambda found: len(found) % 10 / 10, all_thresholds=True
        )
        for threshold in (0.0, 0.3, 0.55, 0.9, 2.0):
            done = walk(nodes, threshold)
            assert done.characters == stretch.end - stretch.begin
            assert all(shown.node.confidence is not None for shown in done.shown)
            assert all((shown.node.confidence or 0) >= threshold for shown in done.shown)
            places = [shown.node.place for shown in done.shown]
            assert places == sorted(places)
        assert walk(nodes, 2.0).keys == walk(nodes, speaking=False).keys


def test_a_short_tape_tells_what_a_long_one_does() -> None:
    """Asking only where the user looks gives the same walk as asking everywhere, with fewer requests."""
    fewer = 0
    for text, stretch in sources():
        short, long = [
            tape(text, stretch, a_model(text, stretch, 2), all_thresholds=all_thresholds)
            for all_thresholds in (False, True)
        ]
        one, other = walk(short), walk(long)
        assert [shown.look.text for shown in one.shown] == [shown.look.text for shown in other.shown]
        assert [node.place for node in one.asked] == [node.place for node in other.asked]
        assert (one.keys, one.acceptances, one.accepted) == (other.keys, other.acceptances, other.accepted)
        assert len(one.asked) == sum(node.asked for node in short)
        fewer += sum(node.asked for node in long) - sum(node.asked for node in short)
    assert fewer > 100


def test_every_threshold_is_as_if_the_model_had_kept_silent() -> None:
    """A walk over one tape with a threshold is the walk over a tape whose model is silent below it."""

    def confidence(found: str) -> float:
        return len(found) % 10 / 10

    for text, stretch in sources():
        model = a_model(text, stretch, 3)
        nodes = tape(text, stretch, model, confidence=confidence, all_thresholds=True)
        for threshold in (0.2, 0.5, 0.8):

            def quiet(left: str, right: str, model=model, threshold: float = threshold) -> str:  # type: ignore[no-untyped-def]
                found: str = model(left, right)
                return found if confidence(found) >= threshold else ""

            expected = walk(tape(text, stretch, quiet))
            found = walk(nodes, threshold)
            assert [shown.look for shown in found.shown if shown.look.taken is None] == [
                shown.look for shown in expected.shown if shown.look.taken is None
            ]
            assert (found.keys, found.accepted, found.acceptances, len(found.shown), len(found.asked)) == (
                expected.keys, expected.accepted, expected.acceptances, len(expected.shown), len(expected.asked),
            )  # fmt: skip


def test_walks_add_up() -> None:
    """Several walks as one have the sums of their counts."""
    text, stretch = marked(LOOP, pauses=(5, 9))
    done = walk(tape(text, stretch, knows(text, stretch)))

    both = joined([done, done])

    assert (both.keys, both.accepted, both.effort) == (2 * done.keys, 2 * done.accepted, 2 * done.effort)
    assert both.shown == done.shown * 2
    assert total([tally(done, done)] * 3).characters == 3 * done.characters
    assert total([]) == Tally()
