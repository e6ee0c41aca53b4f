else
: a
