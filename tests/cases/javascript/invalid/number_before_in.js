a = b ?.5in c;
