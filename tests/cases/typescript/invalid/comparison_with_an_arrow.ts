const f = (): A>=>{}
