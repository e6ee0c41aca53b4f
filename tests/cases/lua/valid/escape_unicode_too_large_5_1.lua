-- versions: 5.1
a = "\u{110000}"
