const a = <T>(x);
