"""The host: one process that holds a model for all windows of a user."""
