f
"x"
