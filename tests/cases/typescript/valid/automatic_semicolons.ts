let a: string
let b: Array<number>
let c: void
type D = string
declare let e: any
