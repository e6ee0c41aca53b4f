while a do if b then break end end
