a: yield
