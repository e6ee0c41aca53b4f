* *a = b
