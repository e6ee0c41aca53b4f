local x = {} (f)()
