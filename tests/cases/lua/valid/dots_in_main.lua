local a = {...}
