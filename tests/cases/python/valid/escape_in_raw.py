x = r'\x1\u1\N', rb'\x1'
