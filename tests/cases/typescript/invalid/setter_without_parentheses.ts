class A { static set
  b }