"""The model of a host, as one window sees it."""

from __future__ import annotations

from tests.decoding.test_formats import FormedProposer, form_named

from dovetail.completer.host.shared import WindowProposer
from dovetail.decoding.formats import Order
from dovetail.decoding.prompt import form_of


def test_a_window_asks_in_the_form_that_was_found() -> None:
    """The form that a probe found is that of every window, also where another one is likelier by the tokens."""
    specials = ["<fim_prefix>", "<fim_suffix>", "<fim_middle>"]
    mellum = form_named(specials, "Mellum", Order.SPM)
    assert form_of(WindowProposer(FormedProposer(specials, mellum), 1)) == mellum
