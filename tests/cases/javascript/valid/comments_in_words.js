{
  using /* of */ a = b;
}
with /* this */ (a) b;
with // that
(a) b;
switch (a) {
  default
  : b
}
