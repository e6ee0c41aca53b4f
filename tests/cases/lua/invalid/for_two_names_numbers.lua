for i, j = 1, 2 do end
