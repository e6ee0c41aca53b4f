"""Documents in a language that the model was not made for: nothing is offered there unless the user asks by hand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dovetail.grammar.library import languages
from dovetail.model.catalogue import catalogue

if TYPE_CHECKING:
    from dovetail.completer.operations import Completer
    from dovetail.completer.snapshot import Snapshot


def unknown_language(document: Snapshot, completer: Completer) -> str | None:
    """Return a clause that says that the model does not know a document's language and which do, or None.

    A model that does not say what it was made for is taken to know everything. Clients add how a model is chosen there.
    """
    known, name = completer.languages, document.language
    if known is None or name is None or name in known:
        return None
    title = languages()[name].title
    other = [model for model, entry in catalogue().items() if re.search(rf"\b{re.escape(title)}\b", entry.languages)]
    advice = f" that does ({', '.join(other)})" if other else ""
    model = "the embedded model" if completer.model == "embedded" else f"the model {completer.model}"
    return f"{model} does not know {title}, so ask by hand or choose {'a' if other else 'another'} model{advice}"
