x = (
1
  +
 # here
2)
