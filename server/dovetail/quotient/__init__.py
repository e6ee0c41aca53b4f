"""What still fits between a left and a right text."""
