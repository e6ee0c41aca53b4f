let type = 1
type as number