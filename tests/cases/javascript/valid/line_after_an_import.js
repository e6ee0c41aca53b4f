import "a"
(b)
import c from "d"
[e].f
export { c }
/g/.h
export * from "i"
`j`
