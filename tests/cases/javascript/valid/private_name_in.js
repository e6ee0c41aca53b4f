class A { #a; b(c) { return #a in c } }
