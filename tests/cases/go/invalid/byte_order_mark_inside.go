package p // ﻿
