from x import *
if x:
    y
