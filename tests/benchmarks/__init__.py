"""How long the engine takes, beside the interpreter's own parser on the same text in the same run."""
