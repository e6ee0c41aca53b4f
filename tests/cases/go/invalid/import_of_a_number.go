package p

import 1
