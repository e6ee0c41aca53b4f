"""Grammar files: what is read, what is refused, what is kept on disk."""
