const a
