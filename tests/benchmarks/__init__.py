"""Times of the engine, beside the interpreter's own parser on the same text in the same run."""
