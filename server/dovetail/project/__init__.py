"""The files around a document: those that may be read, and their parts that a model is shown beside it."""
