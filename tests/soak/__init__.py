"""A long day: hours of editing through the real protocol, of which everything is checked."""
