x = f'a{b}c{d}' f"{a!r}{b!s:>5}{c!a}{d:x}"
