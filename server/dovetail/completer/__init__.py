"""The process that holds model and engine, and the server's side of it."""
