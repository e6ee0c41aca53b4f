type A = ;
