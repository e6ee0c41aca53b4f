if a:
    b
 # odd
      # odder
    c
# at the margin
    d
