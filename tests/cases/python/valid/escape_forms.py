x = '\n\t\\\'\"\a\0\400\x41\u0041\U0001F600\N{EN DASH}\N{latin small letter a}\q'
