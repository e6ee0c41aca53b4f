# versions: 3.10-
if x:
  \
    y
  z
if x:
    \
 \
  y
    z
if x:
\
  y
  z
