-- versions: luajit-
a = "\u{80000000}"
