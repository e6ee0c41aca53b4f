"""What a release consists of, how it is built, and what has to hold of it."""
