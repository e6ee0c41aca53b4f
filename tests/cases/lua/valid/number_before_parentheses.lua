local x = 5 (f)()
