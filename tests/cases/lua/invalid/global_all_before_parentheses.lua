-- versions: 5.1-5.4
global * (f)()
