let a: = 5
