x = b'\u12\N\U1'
