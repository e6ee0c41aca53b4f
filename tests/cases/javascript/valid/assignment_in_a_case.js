switch (a) {
  case b = c:
  case d += { e: 1 }.e:
    f();
}
