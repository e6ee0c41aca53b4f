-- versions: 5.1
a = "\x4"
