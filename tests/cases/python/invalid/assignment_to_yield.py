a = yield = 1
