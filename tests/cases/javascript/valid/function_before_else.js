if (a) function b() {} else c
if (a) function b() {} else if (d) e
d: if (a) function b() {} else c
