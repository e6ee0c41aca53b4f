-- versions: 5.3-
a = "\u{D800}"
