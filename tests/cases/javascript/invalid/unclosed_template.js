x = `a${b}
