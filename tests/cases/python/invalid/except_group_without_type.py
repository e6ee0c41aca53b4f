try: a
except*: b
