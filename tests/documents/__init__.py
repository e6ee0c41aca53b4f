"""The statements of the documents are true."""
