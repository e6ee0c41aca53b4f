type A = B extends infer C[] ? C : never;
