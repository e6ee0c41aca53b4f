"""The host of a team on Ray Serve: the same doors over replicas on many machines.

`serve run dovetail.team.ray_app:build configuration=team.toml` starts it. Ray listens, restarts and places replicas;
keys, doors, the bound on waiting requests and the routing by document are ours. Ray is no dependency: whoever runs
this has `ray[serve]` installed beside Dovetail. Without type information of Ray its values are `Any` here.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ray import serve
from ray.exceptions import RayActorError
from ray.serve.config import RequestRouterConfig
from ray.serve.request_router import FIFOMixin, RequestRouter

from dovetail.completer.cancel_token import CancelToken
from dovetail.model.hosting import known_languages, load_model
from dovetail.team.application import Doors
from dovetail.team.audit_log import FileAuditLog
from dovetail.team.configuration import read_configuration
from dovetail.team.fair_turns import FairTurns
from dovetail.team.keys import KeyRing
from dovetail.team.replica_tables import ReplicaTables
from dovetail.team.routing import preferred
from dovetail.team.sessions import Sessions
from dovetail.team.team import AwayError, BusyError, TeamState
from dovetail.team.writer import WindowWriter
from dovetail.team.written_texts import WrittenTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dovetail.completer.team.messages import SessionRequest
    from dovetail.completer.wire import Message
    from dovetail.team.configuration import TeamConfiguration
    from dovetail.team.doors.window_request import WindowRequest
    from dovetail.team.team import Sender

logger = logging.getLogger(__name__)

T = TypeVar("T")

_QUEUE = 8
"""Requests that one replica is given at a time; it writes one of them, and keys take turns among the others."""


class DocumentRouter(FIFOMixin, RequestRouter):  # type: ignore[misc] # Ray's classes are not known here
    """Routes the requests of a document to the replica that has read it."""

    def initialize_state(self) -> None:
        """Take no arguments."""

    async def choose_replicas(self, candidate_replicas: Sequence[Any], pending_request: Any = None) -> list[list[Any]]:
        """Return the replicas in the order of the document; Ray takes the next if one has too many requests."""
        document = ""
        if pending_request is not None:
            pending_request.routing_context.should_backoff = True
            if len(pending_request.args) > 1:
                document = pending_request.args[1].document
        by_name = {replica.replica_id.unique_id: replica for replica in candidate_replicas}
        return [[by_name[name]] for name in preferred(document, list(by_name))]


class RayReplica:
    """Model and engine in a process of Ray's."""

    def __init__(self, configuration: TeamConfiguration, languages: Sequence[str]) -> None:
        """Load the model, and the tables of languages."""
        proposer, tables = load_model(configuration.model), ReplicaTables()
        most = configuration.most_tokens, configuration.most_seconds
        self._writer = WindowWriter(proposer, *most, tables=tables)
        self._sessions = Sessions(proposer, tables, *most, languages=known_languages(configuration.model))
        self._writer.prepare(languages)
        self._turns = FairTurns()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")

    async def write(self, asked: WindowRequest, sender: Sender) -> WrittenTexts:
        """Return the texts for a request; Ray cancels this if nobody wants the answer any more."""
        document = f"{sender.key} {sender.document}"  # what is kept for a document is never found by another key
        return await self._in_turn(lambda gone: self._writer.write(asked, gone, document), sender)

    async def converse(self, asked: SessionRequest, sender: Sender) -> Message:
        """Return the answer to a request of a session."""
        return await self._in_turn(lambda gone: self._sessions.answer(sender.key, asked, gone), sender)

    async def _in_turn(self, work: Callable[[CancelToken], T], sender: Sender) -> T:
        gone = CancelToken()
        loop = asyncio.get_running_loop()
        try:
            async with self._turns.turn(sender.key, gone):
                return await loop.run_in_executor(self._thread, work, gone)
        finally:
            gone.cancel()  # the thread stops at its next token


class RayTeam:
    """The replicas of a deployment."""

    def __init__(self, replicas: Any, configuration: TeamConfiguration) -> None:
        """Ask the replicas behind a handle."""
        self._replicas = replicas
        self._count = configuration.replicas
        self._most_waiting = configuration.most_waiting
        self._taken = 0

    async def write(self, asked: WindowRequest, sender: Sender, cancellation: CancelToken) -> WrittenTexts:
        """Return the texts for a request; see `Team`."""
        written: WrittenTexts | None = await self._take(self._replicas.write, asked, sender, cancellation)
        return written or WrittenTexts()

    async def converse(self, asked: SessionRequest, sender: Sender, cancellation: CancelToken) -> Message:
        """Return the answer to a request of a session; see `Team`."""
        answer: Message | None = await self._take(self._replicas.converse, asked, sender, cancellation)
        return answer or {}

    async def _take(self, method: Any, asked: object, sender: Sender, cancellation: CancelToken) -> Any:
        """Return the answer of a replica's method, None if nobody wants it any more."""
        if self._taken >= self._most_waiting:
            raise BusyError("Too many requests wait; come again in a second.")
        self._taken += 1
        try:
            for _ in range(2):
                response = method.remote(asked, sender)
                cancellation.tell(response.cancel)
                try:
                    return await response
                except RayActorError as lost:
                    logger.warning("A request was lost with its replica: %s.", type(lost).__name__)
                    continue
                except asyncio.CancelledError:
                    if cancellation.cancelled:
                        return None
                    raise
        finally:
            cancellation.tell(_nothing)
            self._taken -= 1
        raise AwayError("Two processes ended over this request; send another one.")

    def state(self) -> TeamState:
        """Return how the team is, as it was configured: Ray itself watches the replicas."""
        return TeamState(self._count, self._count, self._taken, 0)


class RayDoors:
    """The ingress: the doors, with a handle to the replicas."""

    def __init__(self, replicas: Any, configuration: TeamConfiguration) -> None:
        """Ask the replicas behind a handle, as a configuration says."""
        self._team = RayTeam(replicas, configuration)
        self._configuration = configuration

    def __serve_build_asgi_app__(self) -> Doors:
        """Return the application; Ray calls this on the replica of the ingress."""
        read = self._configuration
        return Doors(
            self._team,
            read.model or "embedded",
            KeyRing(read.keys),
            audit=None if read.audit is None else FileAuditLog(read.audit),
            most_bytes=read.most_kilobytes << 10,
        )


def build(arguments: Mapping[str, str]) -> Any:
    """Return the application for `serve run`; `configuration` is the path of the file, without it all are defaults.

    Address, port and TLS are Ray's own (`serve start`), so the file's say nothing here. Raises TeamConfigurationError.
    """
    from dovetail.grammar.library import languages
    from dovetail.team.configuration import TeamConfiguration

    path = arguments.get("configuration")
    configuration = TeamConfiguration() if path is None else read_configuration(Path(path))
    names = known_languages(configuration.model) or tuple(sorted(languages()))
    replicas = serve.deployment(
        RayReplica,
        name="replicas",
        num_replicas=configuration.replicas,
        max_ongoing_requests=_QUEUE,
        request_router_config=RequestRouterConfig(request_router_class=DocumentRouter),
    ).bind(configuration, names)
    doors = serve.deployment(
        serve.ingress()(RayDoors),
        name="doors",
        max_ongoing_requests=configuration.most_waiting + 64,
        ray_actor_options={"num_cpus": 0},  # it waits most of the time, and would take a processor from the replicas
    )
    return doors.bind(replicas, configuration)


def _nothing() -> None:
    """Do nothing: the request has ended."""
