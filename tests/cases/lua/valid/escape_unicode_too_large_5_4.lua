-- versions: 5.4-
a = "\u{110000}"
