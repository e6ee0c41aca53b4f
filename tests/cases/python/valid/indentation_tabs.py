if a:
	b
	c
