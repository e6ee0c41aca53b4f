const a = b >> > c;
