type A = infer
