-- versions: 5.2
a = "\u{48}\u{20AC}\u{10ffff}\u{000000048}"
