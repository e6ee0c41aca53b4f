declare const { a }!: T;
