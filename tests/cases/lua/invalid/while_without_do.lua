while a f() end
