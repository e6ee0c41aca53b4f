while a do break end repeat break until a for i = 1, 2 do break end for k in f do break; end
