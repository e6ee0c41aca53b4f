package p

var x = -a + +b - ^c*!d/(&e)%*f<<g>>h&^i&j | k ^ l == m && n != o || p < q || r <= s || t > u || v >= w || ~y
var z = <-c + <-<-d - -1
