"""Terminal patterns to deterministic automata, one for each mode."""
