"""`workspace/didChangeWatchedFiles`: files of the workspace were changed, by other programs too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lsp.watching import follow_files

if TYPE_CHECKING:
    from lsprotocol import types

    from dovetail.lsp.session import Session


def did_change_watched_files(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """Look at the files that have changed, come or gone, as far as they may be read."""
    follow_files(session, [change.uri for change in params.changes])
