-- versions: 5.1
a = 0x1..b
