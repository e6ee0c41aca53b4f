return yield
