if (a) let b
