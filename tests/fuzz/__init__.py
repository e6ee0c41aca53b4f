"""Random middles in real Python files, judged by the running interpreter."""
