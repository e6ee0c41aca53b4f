"""A team's host on one machine: replicas, doors and listener, from the configuration to the end."""

from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING

from dovetail.team.application import Doors
from dovetail.team.audit_log import FileAuditLog
from dovetail.team.configuration import TeamConfigurationError
from dovetail.team.keys import KeyRing
from dovetail.team.listener import TeamListener
from dovetail.team.local_team import LocalTeam
from dovetail.team.renewal import Renewal, load_of
from dovetail.team.replica import CannotLoadError, ReplicaLostError, begin_process

if TYPE_CHECKING:
    from collections.abc import Callable

    from dovetail.team.configuration import TeamConfiguration
    from dovetail.team.replica import Begin


async def serve_team(
    configuration: TeamConfiguration,
    told: Callable[[str], None],
    begin: Begin = begin_process,
    listening: Callable[[TeamListener, Callable[[], None]], None] = lambda *_: None,
    read: Callable[[], TeamConfiguration] | None = None,
) -> None:
    """Serve until the process is told to end; `told` is given sentences for whoever started it.

    `listening` is given the listener when clients can connect, and a function that has the host renewed: `read` gives
    it the configuration then. Raises TeamConfigurationError for what can be mended.
    """
    try:
        audit = None if configuration.audit is None else FileAuditLog(configuration.audit)
    except OSError as error:
        raise TeamConfigurationError(
            f"The file {configuration.audit} cannot be written ({error.strerror}): name another for `audit`."
        ) from None
    try:
        listener = TeamListener(configuration)
    except ssl.SSLError as error:
        raise TeamConfigurationError(
            f"TLS does not work with {configuration.certificate} and {configuration.certificate_key} ({error.reason}): "
            "let `certificate` name a certificate in PEM's form, and `certificate_key` its key."
        ) from None
    except OSError as error:
        raise TeamConfigurationError(
            f"Nothing can listen at {configuration.address}, port {configuration.port} ({error.strerror}): "
            "choose another `port` or `address`."
        ) from None
    team = LocalTeam(load_of(configuration), configuration.replicas, configuration.most_waiting, begin)
    try:
        name = await team.start()
        doors = Doors(
            team, name, KeyRing(configuration.keys), audit=audit, most_bytes=configuration.most_kilobytes << 10
        )
        renewal = Renewal(configuration, read or (lambda: configuration), team, told)
        listener.listen()
        listening(listener, renewal.ask)
        told(f"The model {name} completes at {listener.address}; the interrupt key ends it.")
        renewing = asyncio.ensure_future(renewal.work(doors))
        try:
            await listener.serve(doors)
        finally:
            renewing.cancel()
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
