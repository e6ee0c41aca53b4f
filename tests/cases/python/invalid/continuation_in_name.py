x = na\
me
