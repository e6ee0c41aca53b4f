# versions: 3.8-3.9
raise 1from x
