let [a: string] = b;
