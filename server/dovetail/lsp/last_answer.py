"""The sentences that tell a user what became of the last request of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.decoding.completion import KEPT_BACK, Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dovetail.decoding.repository import ShownPart
    from dovetail.lsp.offers import LastAccepted
    from dovetail.lsp.session import Asked

MANUAL = "the setting `trigger` is `manual`: ask by hand"
"""The reason for which nothing is offered while the user types if they want to ask for everything."""

_KEPT_BACK = frozenset(stop.value for stop in KEPT_BACK)


def may_ask_by_hand(asked: Asked) -> bool:
    """Return whether nothing was offered only because the user did not ask by hand."""
    reason = asked.answer.reason
    return asked.automatic and not asked.answer.texts and (reason == MANUAL or reason in _KEPT_BACK)


def accepted_before(last: LastAccepted | None, asked: Asked | None) -> str:
    """Return the sentence about the text that was accepted last; empty if another place was asked about since.

    `asked`: the last request, which an editor makes by itself right behind a text that is accepted.
    """
    if last is None:
        return ""
    if asked is not None and asked.begun > last.when and asked.offset != last.end:
        return ""
    return f"The last completion was accepted; {_end(last.reason)}."


def _end(reason: str) -> str:
    return reason if reason == Stop.END.value else f"it ended because {reason}"


def nothing_offered(accepted: str) -> str:
    """Return the words that say that nothing was offered; `accepted` is as in `outcome`."""
    return f"{accepted} Behind it nothing was offered" if accepted else "Nothing was offered"


def outcome(asked: Asked, accepted: str) -> str:
    """Return the sentences about the answer to a request: what was offered and why it ends, or why nothing was.

    `accepted`: the sentence about a text that was accepted right before the place of the request, and comes first.
    A text that continues the selected entry of a list is shown only as long as the entry is selected, so the list is
    named.
    """
    entry = asked.entry.strip().partition("\n")[0]
    listed = f" that continues `{entry}`, the entry selected in the editor's list" if entry else ""
    if asked.answer.texts:
        another = f"{accepted} Behind it another" if accepted else "A completion"
        return f"{another} was offered{listed}; {_end(asked.answer.reason)}."
    said = [f"{nothing_offered(accepted)}{listed}: {asked.answer.reason}."]
    if entry:
        said.append("Close the list to get a completion of the text as it stands.")
    if may_ask_by_hand(asked) and asked.answer.reason != MANUAL:
        said.append("While you type, only likely texts are offered (setting `trigger`); by hand you get others too.")
    return " ".join(said)


def parts_read(parts: Sequence[ShownPart]) -> str:
    """Return the sentence that says which other files the model has read parts of."""
    files = ", ".join(f"{part.path} ({part.tokens} tokens)" for part in parts)
    return f"The model has also read parts of {files}."
