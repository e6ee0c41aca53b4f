class A[T: a := b]: pass
