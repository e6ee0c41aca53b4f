"""Small languages compared with their oracles on every text up to a length and every cut of it."""
