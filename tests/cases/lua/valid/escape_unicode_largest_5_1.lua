-- versions: 5.1
a = "\u{7FFFFFFF}"
