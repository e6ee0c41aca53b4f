-- versions: luajit-
a = "\u{}"
