switch (a) {
  case "b"invalid:
    c()
}
