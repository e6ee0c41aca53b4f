package p

var x = '\U00110000'
