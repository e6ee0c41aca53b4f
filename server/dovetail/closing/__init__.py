"""The shortest text that makes a state accepting: searched for as terminals, then spelled."""
