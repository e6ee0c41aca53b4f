let a: string<b>;
