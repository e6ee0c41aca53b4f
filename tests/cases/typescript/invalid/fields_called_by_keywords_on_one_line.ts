class A { if case }
