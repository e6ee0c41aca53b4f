local x (f)()
