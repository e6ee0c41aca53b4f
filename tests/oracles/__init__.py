"""Slow machines that are plainly right, against which the engine is compared."""
