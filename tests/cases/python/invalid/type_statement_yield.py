type X = yield
