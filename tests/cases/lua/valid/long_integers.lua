-- versions: luajit
a = { 1LL, 2ULL, 0xffll, 3uLL, 4LLu, 0b1LL }
