local a <constant> = 1
