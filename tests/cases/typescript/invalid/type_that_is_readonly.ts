type A = readonly
