"""A session of realistic typing in real editors, and the checks of every text that was offered in it."""
