-- versions: 5.5
global * (f)()
