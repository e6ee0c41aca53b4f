class A { accessor a = 1; static accessor b; accessor; accessor = 2; accessor() {} accessor
c; @d accessor e }
