-- versions: 5.1
a = 0xA.8p-1
