-- versions: 5.4-
a = "\u{7FFFFFFF}"
