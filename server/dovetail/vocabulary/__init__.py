"""Model token ids and the bytes that they stand for."""
