-- versions: 5.5
global a, b <const> = 1, 2
