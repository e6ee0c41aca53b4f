"""The links of a window to processes that hold a model: to a host that windows share, or to a process of its own."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dovetail.completer.connection import NoProcessError
from dovetail.completer.document_copies import SentDocuments
from dovetail.completer.host.folder import CannotShareError
from dovetail.completer.host.identity import HostIdentity, build_digest, whole_name
from dovetail.completer.process import ModelProcess
from dovetail.completer.supervisor import trouble_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dovetail.completer.connection import ModelConnection
    from dovetail.completer.fallback import Fallback
    from dovetail.completer.host.finder import HostFinder
    from dovetail.completer.wire import Message
    from dovetail.settings import Settings

logger = logging.getLogger(__name__)

_STRIKES = 2
"""Requests of this window that a host did not survive. They may be its fault, so other windows are spared the third."""

_GREETING = 60.0
"""Seconds at least in which a host has to answer its first call: it may be starting, on a machine with much to do."""


@dataclass(eq=False, slots=True)
class Link:
    """A connection to a process, and what the process has."""

    connection: ModelConnection
    identity: HostIdentity | None
    """The identity of the host; None for a process of this window alone."""
    sent: SentDocuments = field(default_factory=SentDocuments)
    loaded: tuple[str | None, Fallback] | None = None
    """The model of the process, and its fallback."""


class Links:
    """Chooses between a host and a process of the window's own, and makes the links to them."""

    def __init__(self, command: Sequence[str], hosts: HostFinder | None, lost: Callable[[], None]) -> None:
        """Make no link yet. `command` starts a process of the window's own; without `hosts` there is no other.

        `lost` is called, on any thread, if a process ends by itself.
        """
        self._command = command
        self._hosts = hosts
        self._lost = lost
        # Now, because files may be replaced by those of another version while this one runs.
        self._build = "" if hosts is None else build_digest()
        self._anew = False
        self._alone = False  # whether this window does not share, although it is set
        self._strikes = 0

    def renew(self, *, anew: bool) -> None:
        """Forget why this window does not share; `anew` ends the host that is joined next, and starts another."""
        self._alone, self._strikes, self._anew = False, 0, anew

    def strike(self, link: Link) -> None:
        """Note that a process ended while a request of this window was in work."""
        self._strikes += link.identity is not None

    def make_room(self) -> bool:
        """End hosts that no window uses; return whether there may have been any."""
        if self._hosts is not None:
            self._hosts.make_room()
        return self._hosts is not None

    def identity(self, settings: Settings, fallback: Fallback) -> HostIdentity | None:
        """Return the identity of the host for a model; None if this window does not share."""
        if self._hosts is None or not settings.host_shared or self._alone:
            return None
        if self._strikes >= _STRIKES:
            logger.warning("This window gets a process of its own: %d requests ended the shared one.", self._strikes)
            self._alone = True
            return None
        try:
            model = whole_name(None if fallback.embedded else settings.model)
        except (OSError, RuntimeError, ValueError):
            return None  # loading says what is wrong with it, if anything is
        return HostIdentity(model, fallback.device, self._hosts.command, self._build)

    def open(self, settings: Settings, fallback: Fallback, opened: Callable[[Link], None]) -> Link:
        """Return a new link, to a process that is started if there is none.

        `opened` is given each link that is tried, so that it can be ended meanwhile. Raises TroubleError if a host ends
        or does not answer in time.
        """
        identity = self.identity(settings, fallback)
        link = None if identity is None else self._join(identity, max(settings.hang_limit, _GREETING), opened)
        if link is None:
            link = Link(ModelProcess(self._command, self._lost), None)
            opened(link)
        return link

    def _join(self, identity: HostIdentity, seconds: float, opened: Callable[[Link], None]) -> Link | None:
        """Return a link to a host; None if this window cannot share it."""
        assert self._hosts is not None, "only with a finder there is an identity"
        anew, self._anew = self._anew, False
        try:
            connection = self._hosts.connect(identity, self._lost, anew=anew)
            link = Link(connection, identity)
            opened(link)
            level = logging.getLogger().getEffectiveLevel()
            greeting: Message = {"hello": {"build": self._build, "level": level}}
            answer = connection.call(greeting, seconds=seconds)["hello"]
            if answer is not None:
                connection.is_to(answer["process"])
                return link
            connection.leave()
            raise CannotShareError("the files of Dovetail were replaced by another version")
        except NoProcessError as ended:
            raise trouble_of(ended) from None
        except CannotShareError as error:
            # Nothing is missing: the window has a model, and `dovetail doctor` says this, too.
            logger.info("This window gets a process of its own: %s.", error)
            self._alone = True
            return None
