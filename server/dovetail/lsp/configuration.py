"""The settings of a session: the client's, overridden by the command line and then by the user's choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lsprotocol import types

from dovetail.lsp.setting_names import in_names_of
from dovetail.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.lsp.session import Session

SECTION = "dovetail"
"""The section of a client's configuration that holds our settings."""


def configure(session: Session, options: object) -> bool:
    """Take settings from the client, and return whether any changed.

    A wrong value leaves its setting as it was before, and the others are taken. Each mistake is shown once, and stays
    in `session.settings_mistakes` until the client sends settings without it.
    """
    given = cast("Mapping[str, object]", options if isinstance(options, dict) else {})
    if given.get("model") != session.options.get("model"):
        session.choice = {}  # a new setting replaces the choice by hand
    settings, mistakes = Settings.read({**given, **session.overrides, **session.choice}, session.settings)
    sentences = [in_names_of(session.setting_names, str(mistake)) for mistake in mistakes]
    if options is not None and not isinstance(options, dict):
        sentences.append("The settings of Dovetail are no mapping: write them as names with values.")
    if new := [sentence for sentence in sentences if sentence not in session.settings_mistakes]:
        session.show(types.MessageType.Warning, "\n".join(new))
    session.settings_mistakes = tuple(sentences)
    session.options = given
    return _take(session, settings)


def choose_model(session: Session, model: str | None) -> bool:
    """Take a model by its folder or name, or the embedded one for None, until the settings name another.

    Returns whether the settings changed; raises SettingsError for a text that cannot name a model.
    """
    choice = {"model": model}
    Settings.from_mapping(choice)
    return take_choice(session, choice)


def take_choice(session: Session, choice: Mapping[str, object]) -> bool:
    """Take a choice by hand, maybe an earlier one, in the place of the last; return whether the settings changed."""
    settings, _ = Settings.read({**session.options, **session.overrides, **choice}, session.settings)
    session.choice = choice
    return _take(session, settings)


def _take(session: Session, settings: Settings) -> bool:
    before, session.settings = session.settings, settings
    session.switches.follow(before, settings)
    return settings != before
