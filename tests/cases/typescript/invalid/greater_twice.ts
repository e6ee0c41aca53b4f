const a = b > > c;
