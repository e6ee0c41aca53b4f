"""The shortest closing of a state: found, and written out."""
