x = if (a) b
