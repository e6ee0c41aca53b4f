if a:
 b
 if c:
 	d
