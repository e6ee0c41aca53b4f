"""`shutdown`: the client ends the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dovetail.lsp.session import Session


def shutdown(session: Session, _params: None) -> None:
    """Remember that the client ended the session in order, because that decides the exit code."""
    session.shut_down = True
