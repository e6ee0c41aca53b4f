x = f'{a:{b}}{a:{b}.{c}}{a:x{b!r}y}{a:{b:c}}'
