-- versions: 5.1-luajit
a = "\u{48}\u{20AC}\u{10ffff}\u{000000048}"
