-- versions: luajit
return 1e1048576
