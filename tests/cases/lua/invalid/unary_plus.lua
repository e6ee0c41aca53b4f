a = +b
