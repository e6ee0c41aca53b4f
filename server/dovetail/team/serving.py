"""A team's host on one machine: replicas, doors and listener, from the configuration to the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.grammar.library import languages
from dovetail.model.hosting import known_languages
from dovetail.team.application import Doors
from dovetail.team.audit_log import FileAuditLog
from dovetail.team.configuration import TeamConfigurationError
from dovetail.team.keys import KeyRing
from dovetail.team.listener import TeamListener
from dovetail.team.local_team import LocalTeam
from dovetail.team.replica import CannotLoadError, ReplicaLoad, ReplicaLostError, begin_process

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.team.configuration import TeamConfiguration
    from dovetail.team.replica import Begin


async def serve_team(
    configuration: TeamConfiguration,
    told: Callable[[str], None],
    begin: Begin = begin_process,
    listening: Callable[[TeamListener], None] = lambda _: None,
) -> None:
    """Serve until the process is told to end; `told` is given sentences for whoever started it.

    `listening` is given the listener when clients can connect. Raises TeamConfigurationError for what can be mended.
    """
    try:
        audit = None if configuration.audit is None else FileAuditLog(configuration.audit)
    except OSError as error:
        raise TeamConfigurationError(
            f"The file {configuration.audit} cannot be written ({error.strerror}): name another for `audit`."
        ) from None
    try:
        listener = TeamListener(configuration)
    except OSError as error:
        raise TeamConfigurationError(
            f"Nothing can listen at {configuration.address}, port {configuration.port} ({error.strerror}): "
            "choose another `port` or `address`."
        ) from None
    # The languages that the model was made for are read before the first request, all others with theirs.
    known = known_languages(configuration.model)
    load = ReplicaLoad(
        configuration.model,
        tuple(sorted(languages())) if known is None else known,
        configuration.most_tokens,
        configuration.most_seconds,
    )
    team = LocalTeam(load, configuration.replicas, configuration.most_waiting, begin)
    try:
        name = await team.start()
        doors = Doors(
            team, name, KeyRing(configuration.keys), audit=audit, most_bytes=configuration.most_kilobytes << 10
        )
        listener.listen()
        listening(listener)
        told(f"The model {name} completes at {listener.address}; the interrupt key ends it.")
        await listener.serve(doors)
    except CannotLoadError as error:
        raise TeamConfigurationError(str(error)) from None
    except ReplicaLostError as error:
        raise TeamConfigurationError(
            f"The process of the model ended while it loaded ({error}): choose a smaller `model`, or fewer `replicas`."
        ) from None
    finally:
        team.stop()
        listener.close()
        if audit is not None:
            audit.close()
