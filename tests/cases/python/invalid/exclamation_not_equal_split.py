x ! = y
