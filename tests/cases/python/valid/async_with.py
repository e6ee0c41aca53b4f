async with a as b: pass
