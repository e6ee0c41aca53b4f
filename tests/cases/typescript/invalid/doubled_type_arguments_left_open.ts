type A = B<<T>() => T;
