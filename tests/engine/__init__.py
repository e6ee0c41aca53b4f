"""The public face of the engine."""
