"""The model of a host, as one window sees it."""

from __future__ import annotations

from tests.decoding.scripted_proposer import ScriptedProposer, at_random
from tests.decoding.test_formats import FormedProposer, form_named

from dovetail.completer.host.shared import WindowProposer
from dovetail.decoding.cache_weights import COUNT, LEVELS, CacheWeights, Gate
from dovetail.decoding.cached_proposer import CachedProposer
from dovetail.decoding.formats import Order
from dovetail.decoding.prompt import form_of
from dovetail.decoding.repository import ProjectContext


def test_a_window_asks_in_the_form_that_was_found() -> None:
    """The form that a probe found is that of every window, also where another one is likelier by the tokens."""
    specials = ["<fim_prefix>", "<fim_suffix>", "<fim_middle>"]
    mellum = form_named(specials, "Mellum", Order.SPM)
    assert form_of(WindowProposer(FormedProposer(specials, mellum), 1)) == mellum


def test_texts_around_a_document_are_those_of_its_window() -> None:
    """The parts of other files that one window tells of a document are not there for another window's."""
    gate = Gate([0.0] * COUNT)
    shared = CachedProposer(ScriptedProposer(rank=at_random(3)), CacheWeights(dict.fromkeys(LEVELS, gate)))
    first, second = WindowProposer(shared, 1), WindowProposer(shared, 2)
    alone = first.begin(b"f(", "a.py").ranked(9)
    first.read_nearby("a.py", ProjectContext("a.py", "a", workspace_texts=("f(12345)",)))
    assert second.begin(b"f(", "a.py").ranked(9) == alone
    assert first.begin(b"f(", "a.py").ranked(9) != alone
