class A { static @a b }
