type A<in out> = B < ;
