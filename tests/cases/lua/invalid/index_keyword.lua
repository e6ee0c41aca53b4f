a = b.end
