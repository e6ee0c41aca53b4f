try: a
except: b
try: a
except b: c
except (d, e) as f: g
except: h
else: i
finally: j
try: a
finally: b
