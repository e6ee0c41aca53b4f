-- versions: 5.2-
a = ﻿1
