"""The right context: its lexings, and the automaton over stacks that it becomes."""
