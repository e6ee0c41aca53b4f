package p

var int, string, any, nil, true, iota, comparable = 1, 2, 3, 4, 5, 6, 7
