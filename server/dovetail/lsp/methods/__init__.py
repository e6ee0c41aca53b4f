"""One file for each method of the protocol that the server answers."""
