"""`workspace/didChangeWorkspaceFolders`: the user adds or removes folders of the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dovetail.lsp.context import begin

if TYPE_CHECKING:
    from lsprotocol import types

    from dovetail.lsp.session import Session


def did_change_workspace_folders(session: Session, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Find the files of the folders as they are now, and forget those of folders that are gone."""
    begin(session)
