a = b * / c
