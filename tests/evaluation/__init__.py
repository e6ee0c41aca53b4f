"""The experiments, and the report that is made with them."""
