-- versions: 5.2-
goto = 1
local a = goto
