-- versions: 5.5
global <const> a, b
