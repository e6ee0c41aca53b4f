"""Offered texts, and what the user did with them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.lsp.counting_meter import CountingMeter

from dovetail.lsp.documents import Documents
from dovetail.lsp.offers import Offered, Offers
from dovetail.lsp.statistics import Statistics
from dovetail.statistics.counts import Subject

ABOUT = Subject("2026-01-31", "python", "the statement ended", "embedded")


def offers_of(meter: CountingMeter) -> Offers:
    """Return offers that a meter counts; what is measured later is not waited for."""
    return Offers(meter, Statistics(meter, Documents(), lambda: True))


def offered(text: str, skipped: str = "") -> Offered:
    """Return a text for a document that is not open any more."""
    return Offered(ABOUT, text, "file:///closed.py", 0, 0, skipped)


def test_an_offer_that_is_accepted_counts_once() -> None:
    """Shown twice and accepted twice is shown once and accepted once, with all of its UTF-16 code units."""
    meter = CountingMeter()
    offers = offers_of(meter)
    name = offers.add(offered("a😀"))

    known = [offers.show(name), offers.show(name), offers.accept(name), offers.accept(name)]

    assert known == [True, True, True, False]
    assert (meter.shown, meter.accepted) == (1, [("all", 3)])


def test_what_is_accepted_was_seen() -> None:
    """An editor that does not tell what it shows tells what is accepted, and both count."""
    meter = CountingMeter()
    offers = offers_of(meter)

    offers.accept(offers.add(offered("x")))

    assert (meter.shown, meter.accepted) == (1, [("all", 1)])


def test_what_stood_in_the_document_is_not_accepted() -> None:
    """Of an item that repeats a word of the document, what it adds is counted."""
    meter = CountingMeter()
    offers = offers_of(meter)

    offers.accept(offers.add(offered("sorted(a)", "sort")))

    assert meter.accepted == [("all", 5)]


def test_the_oldest_offers_are_forgotten() -> None:
    """However many texts are offered, few are kept, the newest of them."""
    offers = offers_of(CountingMeter())
    names = [offers.add(offered(str(number))) for number in range(1000)]

    assert not offers.accept(names[0])
    assert offers.accept(names[-1])


def test_a_text_that_is_offered_again_is_the_same_offer() -> None:
    """By hand the text that is shown comes first once more, maybe for another reason: it is shown once."""
    meter = CountingMeter()
    offers = offers_of(meter)
    about = ABOUT._replace(reason="more of it would stand outside the brackets or quotes around the cursor")

    first = offers.add(offered("x"))
    again = offers.add(offered("x")._replace(about=about))
    other = offers.add(offered("x")._replace(start=1))
    for name in (first, again, other):
        offers.show(name)

    assert (first == again, first == other, meter.shown) == (True, False, 2)


@given(
    text=st.text(min_size=1, max_size=20),
    lengths=st.lists(st.integers(min_value=0, max_value=50), max_size=6),
    ends=st.booleans(),
)
def test_the_accepted_parts_add_up(text: str, lengths: list[int], ends: bool) -> None:
    """Each character is counted once, up to the longest, whatever lengths an editor tells, in whatever order."""
    meter = CountingMeter()
    offers = offers_of(meter)
    name = offers.add(offered(text))
    whole = sum(2 if ord(character) > 0xFFFF else 1 for character in text)

    for length in lengths:
        offers.accept_part(name, length)
    if ends:
        offers.accept(name)

    longest = whole if ends else min(whole, max(lengths, default=0))
    assert sum(characters for _, characters in meter.accepted) == longest
    assert [extent for extent, _ in meter.accepted].count("all") == int(longest == whole)
    assert meter.shown == int(longest > 0)


def test_the_events_of_a_text_are_told_once() -> None:
    """Shown once, in part once however many parts there are, and then completed; or accepted at once."""
    meter = CountingMeter()
    offers = offers_of(meter)
    parts, whole = offers.add(offered("abc def")), offers.add(offered("x"))

    for length in (2, 4, 4, 7):
        offers.accept_part(parts, length)
    offers.accept(whole)

    assert meter.noted == [(ABOUT, event) for event in ("shown", "partly", "completed", "shown", "accepted")]
