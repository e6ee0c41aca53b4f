class A {
  get;
  delete; new; typeof; void
  ; if; while ; switch; catch;
  for; var; let; const; function; class; import;
  case; default; export; extends; in; instanceof; with; await;
  try; finally; do; else; throw; return; yield; break; continue; debugger;
  @b delete; @b if;
  static delete; static if
  do   = 1; case  = 2; class	= 3
  return
  throw
  break // a line end ends these
  a() {}
  in
  b() {}
}
class B { delete }
class C {
  if
}
class D { case } class E { static class }
class F { @b for } class G { a; import }
a = class { const }; b = class { export }
if (a) { class H { else } }
