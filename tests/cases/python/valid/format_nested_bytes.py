x = f'{b"a"}{rb"b"}' f"{b''}"
