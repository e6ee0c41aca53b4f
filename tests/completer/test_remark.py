"""The remark about a model that completes."""

from __future__ import annotations

from tests.decoding.scripted_proposer import ScriptedProposer
from tests.lsp.client import Client
from tests.lsp.scripted_completer import ScriptedCompleter

from dovetail.completer.local import LocalCompleter
from dovetail.lsp.server import Server
from dovetail.settings import Settings


def test_a_model_that_sees_no_right_text_says_so() -> None:
    """A model without tokens for the middle is asked with the left text alone, and its users are told."""
    both, one = ScriptedProposer(), ScriptedProposer(specials=["<|endoftext|>"])

    remarks = [LocalCompleter(lambda *_, given=given: given).load(Settings()).remark for given in (both, one)]

    assert remarks[0] is None
    assert "not trained to see the text after the cursor" in (remarks[1] or "")


async def test_the_status_tells_the_remark() -> None:
    """The sentence stands behind the one that says that the model is ready."""
    completer = ScriptedCompleter()
    completer.remark = "It reads the left text only."
    client = Client(Server(completer, {}))
    await client.begin()
    await client.loaded()

    told = await client.command(7, "status")

    assert (told["kind"], told["message"]) == ("Normal", f"The model {completer.model} is ready. {completer.remark}")
