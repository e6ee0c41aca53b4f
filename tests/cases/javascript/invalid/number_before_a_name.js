x = 3in
