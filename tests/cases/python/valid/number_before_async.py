# versions: 3.8-3.9
[1async for x in y]
