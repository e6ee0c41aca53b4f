-- versions: 5.5
global *
global <const> *
