type A = { b: string c: number }
