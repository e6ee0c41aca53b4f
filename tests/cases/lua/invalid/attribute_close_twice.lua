local a <close>, b <close> = 1, 2
