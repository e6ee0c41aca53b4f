x = u"""a"
