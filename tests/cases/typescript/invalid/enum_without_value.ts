enum A { B = }
