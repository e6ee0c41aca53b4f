switch (a) {
  case 1: { b } break
  case c.d:
  case "e" + f: g
  default: h
}
