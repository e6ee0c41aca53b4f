"""The lexer: characters to terminals, with modes and indentation."""
