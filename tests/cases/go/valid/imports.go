package p

import "a"
import . "b"
import _ "c"
import (
	d "d"; "e"
	`f`
)
import ()
