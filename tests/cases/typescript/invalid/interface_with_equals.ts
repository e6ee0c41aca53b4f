interface A = { b: string }
