for i <const> = 1, 2 do end
