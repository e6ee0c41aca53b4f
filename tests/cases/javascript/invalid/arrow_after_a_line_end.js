a
=> b
