-- versions: 5.1-luajit
goto = 1
local a = goto
