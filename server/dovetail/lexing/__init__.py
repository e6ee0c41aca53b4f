"""Characters to terminals."""
