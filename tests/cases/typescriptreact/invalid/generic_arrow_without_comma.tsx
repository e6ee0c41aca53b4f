const a = <T>(x: T) => x;
