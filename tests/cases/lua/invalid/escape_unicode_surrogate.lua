-- versions: luajit-5.2
a = "\u{D800}"
