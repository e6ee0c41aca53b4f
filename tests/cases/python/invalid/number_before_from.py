# versions: 3.10-
raise 1from x
