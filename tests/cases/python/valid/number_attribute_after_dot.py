x = 1..real, 1 .real
