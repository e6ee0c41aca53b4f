package p

var f func[P any](x P)
