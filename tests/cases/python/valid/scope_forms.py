global a, b
nonlocal c
pass; break; continue;
