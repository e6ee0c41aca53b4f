@a def f(): pass
