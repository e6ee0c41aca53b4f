x = 'a' f'{b}' rf"\{c}" u'd'
