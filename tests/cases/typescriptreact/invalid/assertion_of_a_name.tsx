const a = <T>b;
