package p

var a List[int]
var b Map[string, []int,]
var c p.Map[p.K, func()]
var d = f[int](1)
var e = g[int, string]
var h = Pair[int, T[int]]{1, 2}
