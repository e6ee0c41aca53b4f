"""Simulated editors against a team's host."""
