"""Lines that use a name of another file, completed with and without parts of other files."""
