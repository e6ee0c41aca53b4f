package p

var a List[1]
