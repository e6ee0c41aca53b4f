try: a
else: b
finally: c
