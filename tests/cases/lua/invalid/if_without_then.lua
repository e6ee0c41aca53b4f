if a b() end
