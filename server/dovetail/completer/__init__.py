"""The process that holds the model and the engine, and the server's side of it."""
