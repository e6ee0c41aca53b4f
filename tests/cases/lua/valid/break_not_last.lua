-- versions: 5.2-
while a do break f() end
