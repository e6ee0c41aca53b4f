type A<T> = { [K in Keys<T> satisfies K]: T[K] };
