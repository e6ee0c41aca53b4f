package p

import a
