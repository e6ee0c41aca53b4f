"""Engines over HTTP: their addresses, the connection to them, and the forms in which they are asked."""
