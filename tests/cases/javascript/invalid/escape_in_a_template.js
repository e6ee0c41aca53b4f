x = `a\u`
