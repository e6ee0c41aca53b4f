"""The server's completer where a team's host may complete: it asks the host, and the local model while that is away."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dovetail.completer.answer import Answer, nothing
from dovetail.completer.local import LocalCompleter
from dovetail.completer.team.address import TeamAddressError, read_team_address
from dovetail.completer.team.probe import PAUSES, HostProbe
from dovetail.completer.team.shown_texts import ShownTexts
from dovetail.completer.team.text_check import TextCheck
from dovetail.completer.team.trouble import HostAwayError, HostBusyError, HostRefusalError, TakenBackError
from dovetail.settings import Settings

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Mapping, Sequence

    from dovetail.completer.cancel_token import CancelToken
    from dovetail.completer.explainer import Explanation
    from dovetail.completer.operations import Completer, Loaded
    from dovetail.completer.snapshot import Snapshot
    from dovetail.completer.team.messages import SessionOperation
    from dovetail.completer.team.session import TeamSession
    from dovetail.decoding.repository import ProjectContext

logger = logging.getLogger(__name__)

_MEANWHILE = "the local model completes until it answers"


class TeamCompleter:
    """Completes at a team's host, if the settings name one; else, and while it is away, with another completer."""

    def __init__(
        self,
        local: Completer,
        environment: Mapping[str, str] = os.environ,
        pauses: Sequence[float] = PAUSES,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        """Make a completer; `local` completes without a host.

        `environment` may hold the key. `pauses`: seconds between questions to a host that is away. `trusted`: the
        certificates that are believed, by default those of the system.
        """
        self.lost: Callable[[], None] = lambda: None
        self._local = local
        local.lost = self._local_is_lost
        self._environment = environment
        self._pauses = pauses
        self._trusted = trusted
        self._settings = Settings()
        self._session: TeamSession | None = None
        """The session, also while the host is away and only the probe uses it."""
        self._loaded: Loaded | None = None
        """The state of the host; None while the local model completes."""
        self._probe: HostProbe | None = None
        self._notice: str | None = None
        self._shown = ShownTexts(1)
        self._check = TextCheck()
        self._explaining = LocalCompleter()  # here, without a model, so that no text leaves the machine for it

    @property
    def model(self) -> str | None:
        """The name of the model that completes."""
        return self._local.model if self._loaded is None else self._loaded.model

    @property
    def languages(self) -> tuple[str, ...] | None:
        """The languages that it was made for; None where it does not say."""
        return self._local.languages if self._loaded is None else self._loaded.languages

    @property
    def remark(self) -> str | None:
        """A sentence about the model that completes: where it runs, if that is a team's host."""
        if self._loaded is None or self._session is None:
            return self._local.remark
        return " ".join(filter(None, [f"It runs on the team's host at {self._session.place}.", self._loaded.remark]))

    @property
    def notice(self) -> str | None:
        """A sentence about the host, and one about the local model where that completes; None if all is well."""
        local = self._local.notice if self._loaded is None else None
        return " ".join(filter(None, [self._notice, local])) or None

    def load(self, settings: Settings, cancellation: CancelToken, *, anew: bool = False) -> str | None:
        """Take settings, and begin a session at their host or load the local model; see `Completer`."""
        if anew or settings != self._settings or (self._session is None and settings.team_host is not None):
            self._leave()
            self._settings = settings
            complaint = self._join(cancellation)
        else:
            complaint = None
        if self._is_hosted() and self._loaded is not None:
            return self._loaded.complaint
        return self._local.load(replace(settings, team_host=None), cancellation, anew=anew) or complaint

    def prepare(self, document: Snapshot) -> None:
        """Prepare a document's language; the host has prepared its own, and its texts are checked here."""
        if self._is_hosted():
            self._check.prepare(document)
        else:
            self._local.prepare(document)

    def recall(self, document: Snapshot, offset: int) -> Answer:
        """Return the rest of a completion that the user typed into."""
        if not self._is_hosted():
            return self._local.recall(document, offset)
        return self._shown.recall(document, offset)

    def complete(
        self,
        document: Snapshot,
        offset: int,
        cancellation: CancelToken,
        *,
        item: bool = False,
        project: ProjectContext | None = None,
    ) -> Answer:
        """Return the best text that fits at an offset; see `DocumentOperations`."""
        if not self._is_hosted():
            return self._local.complete(document, offset, cancellation, item=item, project=project)
        return self._answer("complete", document, cancellation, offset=offset, item=item, project=_sent(project))

    def candidates(
        self,
        document: Snapshot,
        offset: int,
        cancellation: CancelToken,
        *,
        first: bool = False,
        project: ProjectContext | None = None,
    ) -> Answer:
        """Return several texts that fit at an offset; see `DocumentOperations`."""
        if not self._is_hosted():
            return self._local.candidates(document, offset, cancellation, first=first, project=project)
        return self._answer("candidates", document, cancellation, offset=offset, first=first, project=_sent(project))

    def read_on(self, document: Snapshot, offset: int) -> bool:
        """Read another part of a long document; return whether the answer at an offset leaves nothing unread."""
        if not self._is_hosted():
            return self._local.read_on(document, offset)
        done = self._ask(lambda session: session.call("read_on", document, offset=offset))
        return done if isinstance(done, bool) else True

    def forget(self, uri: str) -> None:
        """Drop everything that is kept for a closed document."""
        self._local.forget(uri)
        self._shown.forget(uri)
        self._check.forget(uri)
        if self._loaded is not None:
            self._ask(lambda session: session.forget(uri))

    def explain(self, document: Snapshot, offset: int) -> Explanation:
        """Return the explanation of an offset, which is found on this machine."""
        loaded = self._loaded
        if loaded is None:
            return self._local.explain(document, offset)
        self._explaining.aim(loaded.targets)
        self._explaining.take_commands(self._settings)
        return self._explaining.explain(document, offset)

    def abandon(self) -> None:
        """Stop all running work at once; any thread may call this. The next loading begins another session."""
        if self._probe is not None:
            self._probe.stop()
        if self._session is not None:
            self._session.close()
        self._local.abandon()

    def _join(self, cancellation: CancelToken) -> str | None:
        """Begin a session at the host of the settings, if they name one; return what is wrong with its address."""
        self._shown = ShownTexts(self._settings.min_characters)
        if self._settings.team_host is None:
            return None
        try:
            address = read_team_address(self._settings.team_host, self._environment)
        except TeamAddressError as error:
            return str(error)
        # It imports an HTTP client, which only those need who have a host.
        from dovetail.completer.team.session import TeamSession

        self._session = session = TeamSession(address, self._settings, self._trusted)
        try:
            self._take(session.open(cancellation))
        except (HostBusyError, HostRefusalError) as error:
            self._go_local(f"The team's host at {session.place} begins no session ({error})")
        except HostAwayError as error:
            self._go_local(str(error))
        except TakenBackError:
            self._session = None  # newer settings follow
        return None

    def _is_hosted(self) -> bool:
        """Return whether the host completes, which may have answered again since the last call."""
        if self._loaded is None and self._probe is not None and self._probe.loaded is not None:
            self._take(self._probe.loaded)
        return self._loaded is not None

    def _take(self, loaded: Loaded) -> None:
        """Have the host complete."""
        self._loaded, self._notice, self._probe = loaded, None, None
        self._check.aim(self._settings, loaded.targets)
        self._local.abandon()  # it holds memory, and nobody asks it

    def _leave(self) -> None:
        """End the session at the host."""
        if self._probe is not None:
            self._probe.stop()
        if self._session is not None:
            self._session.close()
        self._session = self._loaded = self._probe = self._notice = None

    def _go_local(self, why: str) -> None:
        """Have the local model complete until the host answers again."""
        session = self._session
        assert session is not None, "only a session has a host that is away"
        self._loaded, self._notice = None, f"{why}, so {_MEANWHILE}."
        logger.warning("%s", self._notice)

        def ask() -> Loaded | None:
            try:
                return session.open()
            except (HostAwayError, HostBusyError, HostRefusalError, TakenBackError):
                return None

        self._probe = HostProbe(ask, self._has_answered, self._pauses)

    def _answer(
        self, operation: SessionOperation, document: Snapshot, cancellation: CancelToken, **given: Any
    ) -> Answer:
        answer = self._ask(lambda session: session.call(operation, document, cancellation, **given))
        if isinstance(answer, str):
            return nothing(answer)
        assert isinstance(answer, Answer), "the session has read it as one"
        self._notice = None
        answer = self._check.kept(document, given["offset"], answer)
        self._shown.keep(document, given["offset"], answer)
        return answer

    def _ask(self, ask: Callable[[TeamSession], Any]) -> Any:
        """Return what the host answers, or a clause that says why it does not."""
        session = self._session
        assert session is not None, "a model that is loaded at a host has a session"
        try:
            return ask(session)
        except TakenBackError:
            return "the request was cancelled"
        except HostBusyError as busy:
            self._notice = f"The team's host at {session.place} refused a request: {busy}."
            return f"the team's host has too much to do: {busy}"
        except HostRefusalError as refusal:
            return f"the team's host did not take the request: {refusal}"
        except HostAwayError as away:
            self._go_local(str(away))
            self.lost()
            return "the team's host is away, and the local model is being loaded"

    def _has_answered(self) -> None:
        self.lost()  # read now: the server sets it after it made the completer

    def _local_is_lost(self) -> None:
        if self._loaded is None:
            self.lost()


def _sent(project: ProjectContext | None) -> ProjectContext | None:
    """Return what a host is told of other files: what a prompt may show, and no more."""
    return None if project is None else project.for_prompts
