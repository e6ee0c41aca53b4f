"""The settings of a session: the client's, with those of the command line and the user's own choice before them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lsprotocol import types

from dovetail.settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.lsp.server import Server

SECTION = "dovetail"
"""Below which name a client's configuration holds our settings."""


def configure(server: Server, options: object) -> bool:
    """Take settings from the client, and return whether any changed.

    A mistake in them is shown, and what held before goes on.
    """
    try:
        if options is not None and not isinstance(options, dict):
            raise SettingsError("The settings of Dovetail are no mapping; give settings by their names.")
        given = cast("Mapping[str, object]", options or {})
        if given.get("model") != server.options.get("model"):
            server.choice = {}  # what is set anew goes before what was chosen by hand
        settings = Settings.from_mapping({**given, **server.overrides, **server.choice})
    except SettingsError as error:
        server.show(types.MessageType.Error, str(error))
        return False
    server.options = given
    return _take(server, settings)


def choose_model(server: Server, model: str | None) -> bool:
    """Take a model by its folder or name, the embedded one without, until the settings name another.

    Returns whether that is a change; raises SettingsError for what can name no model.
    """
    choice = {"model": model}
    settings = Settings.from_mapping({**server.options, **server.overrides, **choice})
    server.choice = choice
    return _take(server, settings)


def _take(server: Server, settings: Settings) -> bool:
    before, server.settings = server.settings, settings
    server.switches.follow(before, settings)
    return settings != before
