type A = unique
