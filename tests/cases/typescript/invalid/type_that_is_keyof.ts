type A = keyof
