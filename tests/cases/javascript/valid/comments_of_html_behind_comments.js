;
/**/--> a comment
f(
  /* a */ /* b */ --> another one
  a);
x = [1,
/**/--> and another
]
if (a) {
  /**/ --> the last }
}
