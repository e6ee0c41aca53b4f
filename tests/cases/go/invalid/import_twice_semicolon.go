package p

import ("a";; "b")
