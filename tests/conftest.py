"""How Hypothesis chooses its examples: the same ones at every run, unless asked to explore."""

from hypothesis import settings

# A change is judged by what it does, so two runs over the same tree try the same examples.
settings.register_profile("repeatable", derandomize=True, deadline=None)

# What no run has tried yet: `make explore`.
settings.register_profile("explore", deadline=None, print_blob=True)

settings.load_profile("repeatable")
