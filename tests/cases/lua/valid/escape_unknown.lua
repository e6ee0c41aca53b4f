-- versions: 5.1
a = "\q"
