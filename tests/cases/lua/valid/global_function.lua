-- versions: 5.5
global function f() end
