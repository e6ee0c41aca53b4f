await await a
