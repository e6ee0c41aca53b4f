repeat local a = f() until a
