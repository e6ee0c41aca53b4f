-- versions: 5.1
a = { 1i, 1.5I, 0x1.8p1i, 2e3i }
