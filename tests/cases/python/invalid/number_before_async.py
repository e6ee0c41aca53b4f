# versions: 3.10-
[1async for x in y]
