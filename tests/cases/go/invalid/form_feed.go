package p
