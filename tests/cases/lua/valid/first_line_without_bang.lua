# a note
print(1)
