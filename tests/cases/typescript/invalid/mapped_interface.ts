interface A { -readonly [a in b]: c }
