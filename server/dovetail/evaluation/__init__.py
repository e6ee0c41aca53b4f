"""The published experiments, with any model: programs are cut, completed in three ways, and judged."""
