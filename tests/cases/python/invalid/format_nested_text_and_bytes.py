x = f'{"a" b"b"}'
