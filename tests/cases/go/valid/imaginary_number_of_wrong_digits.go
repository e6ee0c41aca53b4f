package p

var x, y = 0b29i, 0o9i
