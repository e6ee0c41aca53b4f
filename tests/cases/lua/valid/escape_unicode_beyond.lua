-- versions: 5.1
a = "\u{80000000}"
