class A { delete if }
