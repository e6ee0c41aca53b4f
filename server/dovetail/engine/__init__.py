"""The public interface: languages, documents and faults. `dovetail` re-exports it."""
