-- versions: 5.1-5.4
global a, b <const> = 1, 2
