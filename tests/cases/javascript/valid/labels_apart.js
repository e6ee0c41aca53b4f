outer : for (;;) {
  inner/* of it */: for (const a of b) {
    if (a) continue outer;
    break inner;
  }
}
if (a) b : c(); else async : d();
x = a ? b : c;
f({ a : b, c /**/ : d, case : e });
switch (a) {
  case b : c();
  default : d /* e */ : f();
}
