-- versions: luajit-5.3
a = "\u{7FFFFFFF}"
