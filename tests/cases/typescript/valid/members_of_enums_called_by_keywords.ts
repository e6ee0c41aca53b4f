enum A { class = "a", function = "b", if = "c" }
enum B { class, function, if, enum }
enum C { if, class, case }
enum D { function = 1, a }
enum E { delete }
const enum F {
  case,
  class = 1,
  function
  = 2,
}
declare enum G { export = 1, export_, do, const = 2 }
