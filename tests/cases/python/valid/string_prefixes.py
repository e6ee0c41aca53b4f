x = 'a' "b" u'c' U"d" r'\e' R"\f" '''g''' """h""" F'i' fR'j' Rf'k' rF"l"
y = b'a' B"b" br'c' bR'd' Rb"e" RB'f' BR"""g"""
