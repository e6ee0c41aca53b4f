"""What became of the texts that were offered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.lsp.counting_meter import CountingMeter

from dovetail.lsp.offers import Offers


def test_an_offer_that_is_accepted_counts_once() -> None:
    """Shown twice and accepted twice is shown once and accepted once, with all of its UTF-16 code units."""
    meter = CountingMeter()
    offers = Offers(meter)
    name = offers.add("a😀")

    known = [offers.show(name), offers.show(name), offers.accept(name), offers.accept(name)]

    assert known == [True, True, True, False]
    assert (meter.shown, meter.accepted) == (1, [("all", 3)])


def test_what_is_accepted_was_seen() -> None:
    """An editor that does not tell what it shows tells what is accepted, and both count."""
    meter = CountingMeter()
    offers = Offers(meter)

    offers.accept(offers.add("x"))

    assert (meter.shown, meter.accepted) == (1, [("all", 1)])


def test_what_stood_in_the_document_is_not_accepted() -> None:
    """Of an item that repeats a word of the document, what it adds is counted."""
    meter = CountingMeter()
    offers = Offers(meter)

    offers.accept(offers.add("sorted(a)", "sort"))

    assert meter.accepted == [("all", 5)]


def test_the_oldest_offers_are_forgotten() -> None:
    """However many texts are offered, few are kept, the newest of them."""
    offers = Offers(CountingMeter())
    names = [offers.add("x") for _ in range(1000)]

    assert not offers.accept(names[0])
    assert offers.accept(names[-1])


@given(
    text=st.text(min_size=1, max_size=20),
    lengths=st.lists(st.integers(min_value=0, max_value=50), max_size=6),
    ends=st.booleans(),
)
def test_the_accepted_parts_add_up(text: str, lengths: list[int], ends: bool) -> None:
    """Whatever lengths an editor tells, in whatever order, each character is counted once, up to the longest."""
    meter = CountingMeter()
    offers = Offers(meter)
    name = offers.add(text)
    whole = sum(2 if ord(character) > 0xFFFF else 1 for character in text)

    for length in lengths:
        offers.accept_part(name, length)
    if ends:
        offers.accept(name)

    longest = whole if ends else min(whole, max(lengths, default=0))
    assert sum(characters for _, characters in meter.accepted) == longest
    assert [extent for extent, _ in meter.accepted].count("all") == int(longest == whole)
    assert meter.shown == int(longest > 0)
