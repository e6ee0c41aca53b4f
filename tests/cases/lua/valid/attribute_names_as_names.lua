const, close = close, const
