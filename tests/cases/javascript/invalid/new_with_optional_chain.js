new a?.b()
