package p

class T {}
