"""What may go wrong, injected; README.md is the table."""
