a
++b
