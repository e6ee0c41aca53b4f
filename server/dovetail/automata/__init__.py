"""Terminal patterns to one deterministic automaton."""
