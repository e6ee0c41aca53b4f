"""`initialize`: what client and server agree on."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lsprotocol import types

from dovetail.settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dovetail.lsp.server import Server


def initialize(server: Server, params: types.InitializeParams) -> None:
    """Take the unit of columns and the settings; a mistake in the settings is shown and the rest goes on."""
    server.documents.encoding = types.PositionEncodingKind(server.workspace.position_encoding).value
    settings = _settings(server, params.initialization_options)
    if settings.enabled:
        server.completer = server.make_completer(settings)


def _settings(server: Server, options: object) -> Settings:
    """Return the client's settings; what the command line says goes before them."""
    try:
        if options is not None and not isinstance(options, dict):
            raise SettingsError("The initialization options are no mapping; give settings by their names.")
        return Settings.from_mapping({**cast("Mapping[str, object]", options or {}), **server.overrides})
    except SettingsError as error:
        server.show(types.MessageType.Error, str(error))
        return Settings.from_mapping(server.overrides)
