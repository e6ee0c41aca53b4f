"""Replay: files are typed as a person types them, and a simulated user takes or ignores what is shown."""
