"""The completer's side of a team's host: a session there, its documents as changes, and the local model meanwhile."""
