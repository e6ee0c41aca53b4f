"""The doors of a team's host."""
