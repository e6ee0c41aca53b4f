-- versions: 5.1
a = 0x.8
