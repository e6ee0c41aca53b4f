a
[b, , c]
