package p

const = 1
