const a = b as;
