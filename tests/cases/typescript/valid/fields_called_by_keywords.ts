class A {
  delete; if; case; new ; class; function; const?; extends; typeof;
  private for; readonly var;
  @b() default; @b let;
  break; continue; debugger; return; throw; do; else; try; finally;
  export; void
  enum
}
class E {
  delete = 1; do   = 2; const  = 3; export = 4
  default ?: b
  new : b
  enum() {}
}
class B { delete }
class C {
  case
}
abstract class D { abstract switch; while }
