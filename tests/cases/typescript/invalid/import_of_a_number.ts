import a = 1
