package p

# comment
