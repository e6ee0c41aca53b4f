class A.B: pass
