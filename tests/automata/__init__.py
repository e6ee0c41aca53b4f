"""Terminal patterns and their automata."""
