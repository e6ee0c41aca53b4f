"""A host for a team: requests of every client, answered with text that fits."""
