await a
await a.b(c)[d]
-await a ** await b
not await a
