"""The language server; the only place that imports pygls and lsprotocol."""
