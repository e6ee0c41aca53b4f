"""The settings of a session: the client's, overridden by the command line and then by the user's choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lsprotocol import types

from dovetail.settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.lsp.session import Session

SECTION = "dovetail"
"""The section of a client's configuration that holds our settings."""


def configure(session: Session, options: object) -> bool:
    """Take settings from the client, and return whether any changed; show mistakes and keep the settings before."""
    try:
        if options is not None and not isinstance(options, dict):
            raise SettingsError("The settings of Dovetail are no mapping: write them as names with values.")
        given = cast("Mapping[str, object]", options or {})
        if given.get("model") != session.options.get("model"):
            session.choice = {}  # a new setting replaces the choice by hand
        settings = Settings.from_mapping({**given, **session.overrides, **session.choice})
    except SettingsError as error:
        session.settings_mistakes = str(error)
        session.show(types.MessageType.Error, session.settings_mistakes)
        return False
    session.settings_mistakes = None
    session.options = given
    return _take(session, settings)


def choose_model(session: Session, model: str | None) -> bool:
    """Take a model by its folder or name, or the embedded one for None, until the settings name another.

    Returns whether the settings changed; raises SettingsError for a text that cannot name a model.
    """
    choice = {"model": model}
    settings = Settings.from_mapping({**session.options, **session.overrides, **choice})
    session.choice = choice
    return _take(session, settings)


def _take(session: Session, settings: Settings) -> bool:
    before, session.settings = session.settings, settings
    session.switches.follow(before, settings)
    return settings != before
