a or lambda: b
