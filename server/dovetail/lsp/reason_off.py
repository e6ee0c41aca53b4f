"""The reasons why nothing is offered in a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.completer.notebook_cells import is_cell, is_foreign
from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from dovetail.completer.snapshot import Snapshot
    from dovetail.lsp.switches import Switches
    from dovetail.settings import Settings


def reason_off(document: Snapshot, settings: Settings, switches: Switches) -> str | None:
    """Return a clause that says why nothing is offered in a document, or None if completions are on."""
    off = switches.off(document.language_names, document.uri)
    if off is not None:
        return off
    if not settings.unchecked and (unknown := without_grammar(document)):
        return unknown
    if _is_foreign(document, settings):
        return "the cell is a command to the notebook, in another language"
    if document.doubtful:
        return "a change of the document was lost: close it and open it again"
    if len(document.text) > settings.max_characters:
        return (
            f"the document has {len(document.text):,} characters, "
            f"and the setting `max_characters` allows {settings.max_characters:,}"
        )
    if not _is_whole(document.text):
        return "the document holds half of a surrogate pair, which is not a character"
    return None


def _is_foreign(document: Snapshot, settings: Settings) -> bool:
    name = document.language
    notebook = None if name is None else languages()[name].notebook
    if name is None or notebook is None or not settings.reads_commands(name) or not is_cell(document):
        return False
    return is_foreign(notebook, document.text)


def without_grammar(document: Snapshot) -> str | None:
    """Return a clause that says why nothing can be checked in a document, or None if its language is known."""
    if document.language is not None:
        return None
    written = document.language_id or "this kind of file"
    return f"there is no grammar for {written}; known are {', '.join(languages())}"


def _is_whole(text: str) -> bool:
    """Return whether a model can read a text: not one with half a surrogate pair, which JSON can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
