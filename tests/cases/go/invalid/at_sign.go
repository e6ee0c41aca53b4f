package p

@x
