"""The public face: languages, documents, faults. `dovetail` offers it."""
