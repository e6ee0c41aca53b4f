x = 1  # no \
  y
