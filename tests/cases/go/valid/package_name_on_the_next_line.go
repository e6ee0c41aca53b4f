package
p
