"""The stack, the automaton of the right context, and where they meet."""
