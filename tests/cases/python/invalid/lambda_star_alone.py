lambda *: a
