# versions: 3.8-3.13
x = t'a{b}c'
