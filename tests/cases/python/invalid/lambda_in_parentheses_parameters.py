lambda (a, b): c
