"""Grammar files to tables."""
