def f.g(): pass
