"""Switches for completions: everywhere, in a language, in a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.grammar.library import languages

if TYPE_CHECKING:
    from dovetail.settings import Settings


class Switches:
    """Three kinds of switches, which must all be on; a changed setting sets the switches that it names."""

    def __init__(self, settings: Settings) -> None:
        self.everywhere = settings.enabled
        self._languages = set(settings.disabled_languages)  # languages that are off
        self._documents: set[str] = set()  # addresses of documents that are off

    def follow(self, before: Settings, after: Settings) -> None:
        """Apply the settings that changed; other switches of the user stay."""
        if after.enabled != before.enabled:
            self.everywhere = after.enabled
        changed = set(before.disabled_languages) ^ set(after.disabled_languages)
        self._languages = (self._languages - changed) | (set(after.disabled_languages) & changed)

    def language(self, names: tuple[str, ...], on: bool | None = None) -> bool:
        """Switch a language with these names on or off, or toggle it for None; return whether it is on."""
        return _switch(self._languages, names, on)

    def document(self, uri: str, on: bool | None = None) -> bool:
        """Switch a document on or off, or toggle it for None; return whether it is on."""
        return _switch(self._documents, (uri,), on)

    def all(self, on: bool | None = None) -> bool:
        """Switch everything on or off, or toggle it for None; return whether it is on. Other switches stay."""
        self.everywhere = not self.everywhere if on is None else on
        return self.everywhere

    def off(self, names: tuple[str, ...], uri: str) -> str | None:
        """Return a clause that names the switch that is off for a document and its language's names, or None."""
        if not self.everywhere:
            return "completions are switched off"
        if not self._languages.isdisjoint(names):
            return f"completions are switched off for {title_of(names)}"
        return "completions are switched off for this document" if uri in self._documents else None


def title_of(names: tuple[str, ...]) -> str:
    """Return the title of a language with these names; its first name where there is no grammar for it.

    >>> title_of(("py", "python")), title_of(("fortran",)), title_of(())
    ('Python', 'fortran', 'this language')
    """
    known = languages()
    return next((known[name].title for name in names if name in known), (*names, "this language")[0])


def _switch(off: set[str], keys: tuple[str, ...], on: bool | None) -> bool:
    on = not off.isdisjoint(keys) if on is None else on
    if on:
        off.difference_update(keys)
    else:
        off.update(keys)
    return on
