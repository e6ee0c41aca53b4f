with (a)
