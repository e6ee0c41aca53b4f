"""The operations of a completer: one table for the interface, the remote caller, the child and the test doubles.

`Operations` declares each operation once, as a method. `OPERATIONS` is the table that is made from the declarations:
`remote.py` sends the arguments by it, `child.py` reads them by it and sends the result back. A new operation needs a
method here, its implementation in `local.py`, and its caller in `remote.py`.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

# All types of the signatures are needed when this runs, because the table is read from them.
from dovetail.completer.answer import Answer  # noqa: TC001
from dovetail.completer.cancel_token import CancelToken  # noqa: TC001
from dovetail.completer.fallback import Fallback  # noqa: TC001
from dovetail.completer.snapshot import Snapshot  # noqa: TC001
from dovetail.decoding.repository import ProjectContext  # noqa: TC001
from dovetail.settings import Settings  # noqa: TC001

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dovetail.completer.explainer import Explanation


@dataclass(frozen=True, slots=True)
class Loaded:
    """The state of a completer after its settings were taken."""

    complaint: str | None
    """A sentence: the reason for which the wanted model is not loaded, and the remedy; the model before stays then."""
    model: str | None
    """The name of the model that completes."""
    window: int | None
    """The tokens that the model can read, before any fallback."""
    targets: dict[str, str]
    """Language → its version, for languages that are not at their newest."""
    languages: tuple[str, ...] | None = None
    """The languages that the model was made for; None where it does not say."""
    remark: str | None = None
    """A sentence about the model that completes; None if there is nothing that its users should know."""


class DocumentOperations(Protocol):
    """The operations on documents, the same in the server and in the process; the documents may be completed."""

    def prepare(self, document: Snapshot) -> None:
        """Read, or build and keep on disk, the tables of a document's language."""

    def recall(self, document: Snapshot, offset: int) -> Answer:
        """Return the rest of a completion that the user typed into, without asking the model."""

    def complete(
        self,
        document: Snapshot,
        offset: int,
        cancellation: CancelToken,
        *,
        item: bool = False,
        project: ProjectContext | None = None,
    ) -> Answer:
        """Return the best text that fits at an offset in characters; stop soon after `cancellation` is set.

        `project` is what the model is told of the files around the document.
        `item`: it is for a menu. Its time limit is that of items, and it is never kept back as unlikely, because the
        user may have opened the menu by hand, which the protocol does not tell.
        """

    def candidates(
        self,
        document: Snapshot,
        offset: int,
        cancellation: CancelToken,
        *,
        first: bool = False,
        project: ProjectContext | None = None,
    ) -> Answer:
        """Return several texts that fit at an offset, the best first, for a user who asked by hand.

        `first`: only the best, as soon as it is ready. The next call for the same place goes on with the others and
        returns all, unless there was another request meanwhile: then it begins anew.
        """

    def read_on(self, document: Snapshot, offset: int) -> bool:
        """Read another part of a long document that answers at an offset left unread; return whether all is read."""

    def forget(self, uri: str) -> None:
        """Drop everything that is kept for a closed document."""


class Operations(DocumentOperations, Protocol):
    """Every operation of the process that holds model and engine."""

    def load(self, settings: Settings, *, anew: bool = False, fallback: Fallback | None = None) -> Loaded:
        """Take settings and load their model, unless it is loaded already; `anew` loads it in any case.

        `fallback` reduces the model after trouble.
        """


class Completer(DocumentOperations, Protocol):
    """The completer as the server sees it. All methods run on one thread, `load` first; `explain` runs on another."""

    lost: Callable[[], None]
    """Called, on any thread, when the model must be loaded again."""

    @property
    def model(self) -> str | None:
        """The name of the model that answers; None while there is none."""

    @property
    def languages(self) -> tuple[str, ...] | None:
        """The languages that it was made for; None where it does not say."""

    @property
    def remark(self) -> str | None:
        """A sentence about this model; None if there is nothing that its users should know."""

    @property
    def notice(self) -> str | None:
        """The sentence that says how the model failed; None after it has worked again."""

    def load(self, settings: Settings, cancellation: CancelToken, *, anew: bool = False) -> str | None:
        """Take settings and load their model, unless it is loaded already; `anew` loads it in any case.

        Cancelling stops the loading. Returns None, or a sentence that says why the model cannot be loaded and what to
        do; then the model before stays.
        """

    def explain(self, document: Snapshot, offset: int) -> Explanation:
        """Return the explanation of an offset, with or without a model; may run beside all other operations."""

    def abandon(self) -> None:
        """Stop all running work at once; the waiting callers get no texts. May be called on any thread."""


@dataclass(frozen=True, slots=True)
class Operation:
    """The signature of one operation, for sending it to the process."""

    name: str
    arguments: Mapping[str, Any]
    """Name → type."""
    result: Any
    """Its type."""


def _operation(name: str, method: Callable[..., Any]) -> Operation:
    signature = inspect.signature(method, eval_str=True)
    arguments = {key: known.annotation for key, known in signature.parameters.items() if key != "self"}
    return Operation(name, arguments, signature.return_annotation)


OPERATIONS = {
    name: _operation(name, method)
    for declaration in (Operations, DocumentOperations)
    for name, method in vars(declaration).items()
    if inspect.isfunction(method) and not name.startswith("_")
}
"""Name → operation."""
