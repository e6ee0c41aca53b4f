function f(a: number b: string) {}
