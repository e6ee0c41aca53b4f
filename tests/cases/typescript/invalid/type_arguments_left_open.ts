let a: Array<number = []
