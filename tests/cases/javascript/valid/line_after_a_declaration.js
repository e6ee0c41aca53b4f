var a
(b)
var c, d
[e].f()
let g
/h/.test(i)
var j
+k
var l
= 1
const m = 1
