try: a
except: b
finally: c
else: d
