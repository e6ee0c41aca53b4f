a if lambda: b else c
