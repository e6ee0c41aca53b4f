x  + y
