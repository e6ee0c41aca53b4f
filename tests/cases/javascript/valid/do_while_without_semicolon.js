do a
while (b) c
